/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * static.c - a part of dtx-run-static alone: nothing is loaded while it runs.
 *
 * A program that is linked statically and loads a library gets a second C library, of the machine
 * that it runs on, and may crash.  So dlopen(3) is this one, and names of users, hosts and services
 * are looked up in files, and by DNS, which are parts of the C library (2.34), whatever
 * nsswitch.conf says.
 */
#include <dlfcn.h>
#include <netdb.h>
#include <nss.h>

#include <dtx/base.h>

void *dlopen(const char *file, int mode)
{
	return NULL;
}

__attribute__((constructor)) static void load_nothing(void)
{
	static const char *const files[] = { "passwd", "group", "services" };

	libraries_load = false;
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		__nss_configure_lookup(files[i], "files");
	__nss_configure_lookup("hosts", "files dns");
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugserver.c - debugging information from servers, debuginfod(8), if the user has set
 * DEBUGINFOD_URLS: by build id, through elfutils' library, which keeps what it got in a folder of
 * the user.  The library is opened on the first question.  It reads what the environment names, a
 * server may be a folder (file://), so it works with the rights of the user alone.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "runtime/code/symtabs.h"
#include "runtime/code/tables.h"

#define SERVERS  "DEBUGINFOD_URLS"
#define LIBRARY  "libdebuginfod.so.1"

/* elfutils/debuginfod.h: find() returns an open file, or a negative error number. */
typedef void *begin_fn(void);
typedef int find_fn(void *client, const unsigned char *id, int len, char **path);

static struct {
	bool opened;
	void *client;
	find_fn *find;
	char trouble[200];       /* after that nothing is asked any more */
} server;

static void server_open(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	begin_fn *begin = library ? (begin_fn *)dlsym(library, "debuginfod_begin") : NULL;

	server.opened = true;
	server.find = begin ? (find_fn *)dlsym(library, "debuginfod_find_debuginfo") : NULL;
	server.client = server.find ? begin() : NULL;
	if (!server.client)
		snprintf(server.trouble, sizeof(server.trouble), SERVERS " needs the library "
			 LIBRARY ", %s", libraries_load ? "which is not installed: on Debian, "
			 "apt install libdebuginfod1" : LIBRARIES_NONE);
}

const char *debug_fetch_id(struct arena *a, const u8 *id, u32 len)
{
	const char *set = getenv(SERVERS);
	char *path = NULL;
	u32 taken;
	int fd;

	if (!set || !*set || *server.trouble)
		return NULL;
	file_note_passing();
	taken = file_as_user();
	if (!server.opened)
		server_open();
	fd = server.client ? server.find(server.client, id, len, &path) : -ENOSYS;
	file_as_before(taken);
	if (fd >= 0)
		close(fd);
	else if (fd != -ENOENT && fd != -ENOSYS)
		snprintf(server.trouble, sizeof(server.trouble), "the servers of " SERVERS
			 " do not answer (%s): debugging information that is not on "
			 "this machine is missing", strerror(-fd));
	set = fd >= 0 && path ? arena_strdup(a, path) : NULL;
	free(path);
	return set;
}

const char *debug_fetch(struct arena *a, Elf *elf)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	return len > 0 ? debug_fetch_id(a, id, len) : NULL;
}

const char *debug_server_trouble(void)
{
	return *server.trouble ? server.trouble : NULL;
}

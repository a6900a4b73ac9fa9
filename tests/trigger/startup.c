/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * startup.c - calls getppid() before main(), in a constructor, and getpgid() in main().
 */
#include <unistd.h>

__attribute__((constructor)) static void before(void)
{
	getppid();
}

int main(void)
{
	return getpgid(0) < 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shrink.c - preloaded into dtx by a test: a file is cut short while it is read.
 *
 * Before the DTX_SHRINK_AT-th read (from 1) of the file DTX_SHRINK it is cut to DTX_SHRINK_TO
 * bytes. DTX_SHRINK_COUNT=FILE gets how many reads of it there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat victim;
static long reads;

__attribute__((constructor)) static void start(void)
{
	const char *name = getenv("DTX_SHRINK");

	if (!name || stat(name, &victim))
		victim.st_ino = 0;
}

__attribute__((destructor)) static void end(void)
{
	const char *name = getenv("DTX_SHRINK_COUNT");
	int fd = name && reads ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;

	if (fd >= 0)
		dprintf(fd, "%ld\n", reads);
}

static void seen(int fd)
{
	const char *at = getenv("DTX_SHRINK_AT"), *to = getenv("DTX_SHRINK_TO");
	struct stat st;

	if (!victim.st_ino || fstat(fd, &st) || st.st_ino != victim.st_ino ||
	    st.st_dev != victim.st_dev)
		return;
	if (++reads == (at ? atol(at) : 0) && truncate(getenv("DTX_SHRINK"), to ? atol(to) : 0))
		perror("truncate");
}

ssize_t pread(int fd, void *to, size_t len, off_t at)
{
	static ssize_t (*next)(int, void *, size_t, off_t);

	if (!next)
		next = dlsym(RTLD_NEXT, "pread");
	seen(fd);
	return next(fd, to, len, at);
}

ssize_t pread64(int fd, void *to, size_t len, off_t at)
{
	return pread(fd, to, len, at);
}

ssize_t read(int fd, void *to, size_t len)
{
	static ssize_t (*next)(int, void *, size_t);

	if (!next)
		next = dlsym(RTLD_NEXT, "read");
	seen(fd);
	return next(fd, to, len);
}

/* A mapping counts as a read and is cut when it is made: what is read of it then is not there. */
void *mmap(void *where, size_t len, int prot, int flags, int fd, off_t at)
{
	static void *(*next)(void *, size_t, int, int, int, off_t);

	if (!next)
		next = dlsym(RTLD_NEXT, "mmap");
	void *p = next(where, len, prot, flags, fd, at);
	if (fd >= 0)
		seen(fd);
	return p;
}

void *mmap64(void *where, size_t len, int prot, int flags, int fd, off_t at)
{
	return mmap(where, len, prot, flags, fd, at);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump.c - libFuzzer harness of the files in which processes describe code they make
 * (jit-PID.dump): read in two parts, as they grow.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/stack/stack-private.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static bool put(int fd, const u8 *data, size_t size)
{
	return write(fd, data, size) == (ssize_t)size;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = memfd_create("jitdump", MFD_CLOEXEC);
	struct jitdump *d = NULL;

	budget_begin(NULL, NULL, NULL);
	if (put(fd, data, size - size / 3))
		d = jitdump_open(fd, 1, true);
	else
		close(fd);
	if (!d)
		return 0;
	jitdump_read(d);
	put(fd, data + size - size / 3, size / 3);
	jitdump_read(d);
	for (u64 at = 0; at < 64; at++) {
		const struct jitsym *s = jitdump_at(d, at << 58 | at * 32);
		const char *file;

		if (jitdump_line(d, at << 58 | at * 32, &file) && strlen(file) > UINT32_MAX)
			__builtin_trap();
		if (s && strlen(s->name) > UINT32_MAX)
			__builtin_trap();
	}
	jitdump_close(d);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.c - libFuzzer harness of the map in which a process names the code it makes
 * (perf-PID.map): read in two parts, as it grows, and once more as another file.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/stack/stack-private.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void put(int fd, const u8 *data, size_t size)
{
	if (write(fd, data, size) != (ssize_t)size)
		abort();
}

static void look_up(struct perfmap *m, u64 addr)
{
	const struct jitsym *s;

	if (!perfmap_read(m))
		__builtin_trap();                /* there is no hurry, so it is read at once */
	s = perfmap_at(m, addr);
	if (s && (addr - s->addr >= s->size || strlen(s->name) > JIT_NAME_MOST + 3))
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = memfd_create("perfmap", MFD_CLOEXEC);
	struct perfmap *m = perfmap_open(fd, 1);
	size_t first = size - size / 3;
	char text[20] = "";

	memcpy(text, data, MIN(size, sizeof(text) - 1));
	budget_begin(NULL, NULL, NULL);
	put(fd, data, first);
	look_up(m, strtoull(text, NULL, 16));
	put(fd, data + first, size - first);
	look_up(m, strtoull(text, NULL, 16));
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
	put(fd, data + size / 2, size - size / 2);
	look_up(m, 0x1000);
	perfmap_close(m);
	return 0;
}

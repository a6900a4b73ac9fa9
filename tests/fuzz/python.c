/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * python.c - libFuzzer harness of what interpreters of Python say of themselves: the offsets that
 * are found in a file must lie in what bpf/ reads, and names must become UTF-8.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/stack/stack-private.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_offsets(const struct dtx_pyoff *o)
{
	const u32 frame[] = { o->previous, o->code, o->instr };
	const u32 code[] = { o->filename, o->qualname, o->linetable, o->firstline };

	check(o->owner < DTX_PY_NEAR / 2);
	for (u32 i = 0; i < ARRAY_SIZE(frame); i++)
		check(frame[i] + 8 <= DTX_PY_NEAR / 2);
	for (u32 i = 0; i < ARRAY_SIZE(code); i++)
		check(code[i] + 8 <= DTX_PY_NEAR);
}

/* Bytes of a character by its first byte, 0: no character begins so. */
static u32 length(u8 c)
{
	return c < 0x80 ? c >= 0x20 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
}

static void check_text(const struct dtx_pyfunc *f)
{
	struct buf out = { 0 };

	py_utf8(&f->of_name, f->name, sizeof(f->name), &out);
	check(out.len <= 4 * sizeof(f->name));
	for (size_t at = 0; at < out.len;) {
		u32 n = length((u8)out.data[at]);

		check(n && at + n <= out.len);
		for (u32 i = 1; i < n; i++)
			check(((u8)out.data[at + i] & 0xc0) == 0x80);
		at += n;
	}
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = memfd_create("python", MFD_CLOEXEC);
	struct dtx_pyfunc f = { 0 };
	struct python py;

	if (write(fd, data, size) == (ssize_t)size && python_read(fd, &py) && py.known)
		check_offsets(&py.off);
	close(fd);
	memcpy(&f, data, MIN(size, sizeof(f)));
	check_text(&f);
	return 0;
}

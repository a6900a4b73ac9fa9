/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userinsn.c - reads the instructions of a function from its file: for probes at all
 * instructions, and to set no probe in the middle of one.
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/provider/provider.h"

#define FUNC_MAX (16u << 20)     /* bytes of a function; larger symbols are not trusted */

u8 *insn_bytes(int fd, u64 file_off, u64 size)
{
	u8 *code = size && size <= FUNC_MAX ? xmalloc(size) : NULL;

	if (!code || pread(fd, code, size, (off_t)file_off) == (ssize_t)size)
		return code;
	free(code);
	return NULL;
}

int insn_each(int fd, u64 file_off, u64 size, int (*fn)(void *arg, u64 off, bool probed), void *arg)
{
	u8 *code = insn_bytes(fd, file_off, size);
	u8 *unfit = code ? insn_unfit(code, size) : NULL;
	int err = 0;

	for (u64 off = 0; code && off < size && !err;) {
		u32 len = arch_insn_len(code + off, size - off);

		if (!len)
			break;
		err = fn(arg, off, arch_insn_probed(code + off, len) && !(unfit && unfit[off]));
		off += len;
	}
	free(unfit);
	free(code);
	return err;
}

enum { FOUND = 1, REFUSED, BEYOND };

static int compare(void *arg, u64 off, bool probed)
{
	u64 wanted = *(u64 *)arg;

	return off < wanted ? 0 : off > wanted ? BEYOND : probed ? FOUND : REFUSED;
}

/* The window's part of the file from `file_off` on, with room for an instruction unless the file
 * ends; its size. */
static size_t window_code(struct insn_window *w, u64 file_off, const u8 **code)
{
	ssize_t n;

	if (file_off < w->from || file_off - w->from + ARCH_INSN_MAX > w->n) {
		n = pread(w->fd, w->bytes, sizeof(w->bytes), (off_t)file_off);
		w->from = file_off;
		w->n = n > 0 ? (size_t)n : 0;
	}
	*code = w->bytes + (file_off - w->from);
	return w->n - (file_off - w->from);
}

bool insn_probed(struct insn_window *w, u64 file_off, u64 size, u64 off)
{
	const u8 *code;
	size_t n;

	if (off)
		return insn_each(w->fd, file_off, size, compare, &off) == FOUND;
	n = window_code(w, file_off, &code);
	return arch_code_probed(code, n);
}

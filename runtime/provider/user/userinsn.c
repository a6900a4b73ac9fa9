/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userinsn.c - reads the instructions of a function from its file: for probes at all
 * instructions, and to set no probe in the middle of one.
 */
#include <stdlib.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"

#define FUNC_MAX (16u << 20)     /* bytes of a function; larger symbols are not trusted */

u8 *insn_bytes(struct codefile *file, u64 file_off, u64 size)
{
	u8 *code = size && size <= FUNC_MAX ? xmalloc(size) : NULL;

	if (!code || codefile_read(file, code, size, file_off) == (ssize_t)size)
		return code;
	free(code);
	return NULL;
}

int insn_each(struct codefile *file, u64 file_off, u64 size,
	      int (*fn)(void *arg, u64 off, bool probed), void *arg)
{
	u8 *code = insn_bytes(file, file_off, size);
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

bool insn_probed(struct codefile *file, u64 file_off, u64 size, u64 off)
{
	u8 code[ARCH_INSN_MAX];
	ssize_t n;

	if (off)
		return insn_each(file, file_off, size, compare, &off) == FOUND;
	n = codefile_read(file, code, sizeof(code), file_off);
	return n > 0 && arch_code_probed(code, (size_t)n);
}

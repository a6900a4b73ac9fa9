/* SPDX-License-Identifier: BSD-2-Clause */
/* codereturn.c - what code elsewhere is to a function that jumps there. */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/provider/user/codewalk.h"

#define STUB_BYTES 16
#define BACK_MAX   4096          /* bytes of a part without a symbol */

static size_t code_bytes(struct codefile *file, u64 addr, u8 code[ARCH_THUNK_BYTES])
{
	u64 off = elfsyms_file_off(codefile_symbols(file), addr);
	ssize_t n = off == ~0ull ? 0 : pread(codefile_fd(file), code, ARCH_THUNK_BYTES, (off_t)off);

	return n > 0 ? (size_t)n : 0;
}

void code_through(struct codefile *file, const u8 *code, u64 size, u64 addr, struct arch_insn *in)
{
	bool here = in->flow == ARCH_NEXT || (in->flow == ARCH_CALL && in->to - addr < size);
	enum arch_thunk kind = ARCH_THUNK_NONE;
	u8 there[ARCH_THUNK_BYTES], reg = ARCH_NO_WORD;
	u32 len = 0;

	if (here)
		kind = arch_thunk(code, size, &len, &reg);
	else if (in->flow == ARCH_JUMP)
		kind = arch_thunk(there, code_bytes(file, in->to, there), &len, &reg);
	if (!kind)
		return;
	in->flow = kind == ARCH_THUNK_RETURN ? ARCH_RETURN : ARCH_INDIRECT;
	in->reg = reg, in->index = ARCH_NO_WORD, in->scale = 1;
	in->len = here ? len : in->len;
}

bool code_comes_back(struct codefile *file, u64 addr, u64 size, u64 to, u64 bytes)
{
	u64 off = elfsyms_file_off(codefile_symbols(file), addr);
	u8 *code = size <= BACK_MAX && off != ~0ull ? xmalloc(size) : NULL;
	struct arch_insn in;
	bool found = false;

	if (code && pread(codefile_fd(file), code, size, (off_t)off) == (ssize_t)size)
		for (u64 at = 0; at < size && !found; at += in.len) {
			if (!arch_insn_read(code + at, size - at, addr + at, &in))
				break;
			found = (in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH) &&
				in.to - to < bytes && in.to != to;
		}
	free(code);
	return found;
}

/* Stubs of the procedure linkage table are described as one piece of code, and all functions share
 * them. */
bool code_is_stub(struct codefile *file, u64 addr)
{
	u8 code[ARCH_THUNK_BYTES];
	u64 slot;

	return code_bytes(file, addr, code) >= STUB_BYTES &&
	       arch_plt_slot(code, STUB_BYTES, addr, &slot);
}

bool code_returns(struct codefile *file, u64 addr)
{
	u8 code[ARCH_THUNK_BYTES], reg;
	size_t n = code_bytes(file, addr, code);
	struct arch_insn in;
	u32 len;

	return arch_thunk(code, n, &len, &reg) == ARCH_THUNK_RETURN ||
	       (n && arch_insn_read(code, n, addr, &in) && in.flow == ARCH_RETURN);
}

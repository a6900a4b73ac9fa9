/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codereturn.c - code that does nothing but return.  Compilers that keep the processor from
 * guessing where a function returns to (-mfunction-return=thunk) jump to it in place of returning:
 *
 *	call 2f
 *   1:	pause; lfence; jmp 1b
 *   2:	lea 8(%rsp), %rsp
 *	ret
 */
#include <unistd.h>

#include "runtime/code/codefile.h"
#include "runtime/provider/user/codewalk.h"

#define THUNK_BYTES 32           /* with room for a prefix or two */

/* Does `code` take back one call, and return? */
static bool takes_back(const u8 *code, u64 size, u64 addr)
{
	struct arch_stack stack = { 0, ARCH_DEEP_UNKNOWN };
	struct arch_insn in;

	if (!arch_insn_read(code, size, addr, &in) || in.flow != ARCH_NEXT)
		return false;
	arch_insn_stack(code, in.len, &stack);
	code += in.len, size -= in.len, addr += in.len;
	return stack.sp == -(s32)sizeof(u64) && arch_insn_read(code, size, addr, &in) &&
	       in.flow == ARCH_RETURN;
}

bool code_returns(struct codefile *file, u64 addr)
{
	u64 off = elfsyms_file_off(codefile_symbols(file), addr);
	u8 code[THUNK_BYTES];
	struct arch_insn in;
	ssize_t n = off == ~0ull ? 0 : pread(codefile_fd(file), code, sizeof(code), (off_t)off);

	if (n <= 0 || !arch_insn_read(code, (size_t)n, addr, &in))
		return false;
	if (in.flow == ARCH_CALL && in.to - addr < (u64)n)
		return takes_back(code + (in.to - addr), (u64)n - (in.to - addr), in.to);
	return in.flow == ARCH_RETURN;
}

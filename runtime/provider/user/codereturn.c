/* SPDX-License-Identifier: BSD-2-Clause */
/* codereturn.c - what code elsewhere is to a function that jumps there, or takes its address. */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/provider/user/codewalk.h"

#define STUB_BYTES 16
#define BACK_MAX   4096          /* bytes of a part without a symbol */
#define NEAR       512           /* bytes: functions of assembly that share code are side by side */

static size_t code_bytes(struct codefile *file, u64 addr, u8 code[ARCH_THUNK_BYTES])
{
	u64 off = elfsyms_file_off(codefile_symbols(file), addr);
	ssize_t n = off == ~0ull ? 0 : codefile_read(file, code, ARCH_THUNK_BYTES, off);

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

	if (code && codefile_read(file, code, size, off) == (ssize_t)size &&
	    arch_may_reach(code, size, addr, to + 1, bytes - 1))
		for (u64 at = 0; at < size && !found; at += in.len) {
			if (!arch_insn_read(code + at, size - at, addr + at, &in))
				break;
			found = (in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH) &&
				in.to - to < bytes && in.to != to;
		}
	free(code);
	return found;
}

/* foo.cold and foo.part.0 are foo's. */
static bool is_part_of(const struct elfsym *part, const struct elfsym *f)
{
	size_t n = strlen(f->name);

	return !strncmp(part->name, f->name, n) && part->name[n] == '.';
}

const char *code_entered(struct codefile *file, const struct elfsym *f)
{
	struct elfsyms *syms = codefile_symbols(file);
	u64 at = f->addr - MIN(f->addr, NEAR);

	while ((at = elfsyms_next(syms, at)) < f->addr + f->size + NEAR) {
		const struct elfsym *other = elfsyms_at(syms, at);

		if (other && other->addr == at && at - f->addr >= f->size &&
		    !is_part_of(other, f) &&
		    code_comes_back(file, at, other->size, f->addr, f->size))
			return other->name;
	}
	return NULL;
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

static u32 take_addr(u64 *addrs, u32 n, u32 most, u64 addr)
{
	for (u32 i = 0; i < n; i++)
		if (addrs[i] == addr)
			return n;
	if (n < most)
		addrs[n++] = addr;
	return n;
}

u32 code_taken(struct codefile *file, const struct elfsym *f, u64 *addrs, u32 most)
{
	u64 size = MIN(f->size ? f->size : LOOSE_MAX, LOOSE_MAX);
	u8 *code = xcalloc(size, 1);
	ssize_t got = codefile_read(file, code, size, f->file_off);
	struct arch_insn in;
	u32 n = 0;

	for (u64 off = 0; got > 0 && off < (u64)got; off += in.len) {
		u64 to;

		if (!arch_insn_read(code + off, (u64)got - off, f->addr + off, &in))
			break;
		to = !in.is_address ? in.number : in.is_unclear ? 0 : in.data;
		if (to && to - f->addr >= size && elfsyms_runs(codefile_symbols(file), to))
			n = take_addr(addrs, n, most, to);
		if (!f->size && in.flow == ARCH_RETURN)
			break;
	}
	free(code);
	return n;
}

void code_unnamed(struct codefile *file, u64 addr, struct elfsym *f)
{
	u64 begin = 0, size;
	bool catches;

	size = extents_at(codefile_extents(file), addr, &begin, &catches);
	*f = (struct elfsym){ .name = "-", .addr = addr, .size = begin == addr ? size : 0,
			      .file_off = elfsyms_file_off(codefile_symbols(file), addr) };
}

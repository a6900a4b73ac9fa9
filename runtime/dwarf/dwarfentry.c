/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfentry.c - where a function is entered, and whether the registers that it has there can be
 * kept by a probe (DW_OP_entry_value: DWARF 5, 2.5.1.7).
 *
 * The probe must be passed once in each call.  So no code of the function may jump back to its
 * first instruction, and the frame must be described there as at any entry.  Functions of the
 * kernel that ftrace knows begin with its call, and nothing jumps back there: kernline.c asks.
 */
#include <stdlib.h>
#include <unistd.h>

#include <dwarf.h>

#include <dtx/arch.h>
#include "runtime/code/code.h"
#include "runtime/dwarf/dwarf-private.h"

#define CODE_MAX (16u << 20)     /* bytes of a function; larger ones are not believed */

static bool is_entry_frame(const struct dtx_uw_rule *r)
{
	return r && r->kind == DTX_UW_CFA && r->reg == ARCH_DWARF_SP && r->off == ARCH_ENTRY_CFA;
}

/* Does code at `addr` jump to the entry? */
static const char *jump_trouble(const u8 *code, u64 size, u64 addr, u64 entry)
{
	u64 to;
	u32 len;

	for (u64 off = 0; off < size; off += len) {
		len = arch_insn_len(code + off, size - off);
		if (!len)
			return "not all instructions of its function are known";
		if (arch_insn_jumps(code + off, len, addr + off, &to) && to == entry)
			return "its function begins with a loop: a turn cannot be told from a call";
	}
	return NULL;
}

static const char *range_trouble(struct dwarf_obj *o, int fd, u64 low, u64 size, u64 entry)
{
	u64 off = elfsyms_file_off(dwarf_code(o), low);
	u8 *code = off != ~0ull && size && size <= CODE_MAX ? xmalloc(size) : NULL;
	const char *why = NULL;

	if (!code || pread(fd, code, size, (off_t)off) != (ssize_t)size)
		why = "the code of its function cannot be read";
	else if (low == entry && !arch_code_probed(code, size))
		why = "the kernel cannot set a probe where its function begins";
	else
		why = jump_trouble(code, size, low, entry);
	free(code);
	return why;
}

static const char *trouble(struct dwarf_obj *o, Dwarf_Die *subprogram, u64 entry)
{
	bool framed = is_entry_frame(dwarf_rule(o, entry));
	int fd = framed && !o->module && dwarf_code(o) ? codefile_fd(o->of) : -1;
	const char *why = NULL;
	Dwarf_Addr base, low, end;
	ptrdiff_t at = 0;

	if (!framed)
		return "the frame of its function is not described where it begins";
	if (o->module)
		return NULL;
	if (fd < 0)
		return "the code of its function cannot be read";
	while (!why && (at = dwarf_ranges(subprogram, at, &base, &low, &end)) > 0)
		if (low < end)
			why = range_trouble(o, fd, low, end - low, entry);
	return why;
}

const char *dwarf_entry_trouble(struct dwarf_obj *o, Dwarf_Die *subprogram, u64 entry)
{
	if (!o->entry_known || o->entry_at != entry)
		o->entry_trouble = trouble(o, subprogram, entry);
	o->entry_known = true;
	o->entry_at = entry;
	return o->entry_trouble;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfirun.c - the interpreter of call frame programs: makes the rows of a function.
 *
 * libdw's dwarf_cfi_addrframe() runs a program from its beginning for each address, and allocates
 * each frame: 0.6 us a row.  The 473,000 rows of gcc's cc1plus take 0.3 s that way, 0.1 s here,
 * with reading, sorting and writing the table.
 * Why: docs/decisions/35-unwind-tables.md
 */
#include <string.h>

#include <dwarf.h>

#include "runtime/code/cfi.h"

#define REMEMBER_MOST 16                 /* DW_CFA_remember_state; compilers nest it once */

enum { CFA = 1u << DTX_UW_REGS, ALL = CFA << 1 };

struct run {
	struct cfi_state now;
	const struct cfi_cie *cie;
	u64 addr, end;
	struct dtx_uw_rule rule;         /* the last row's */
	u32 dirty;                       /* what has changed since: registers as bits, CFA, ALL */
	u32 nkept;
	struct cfi_state kept[REMEMBER_MOST];
	void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *);
	void *arg;
};

/* ---- expressions --------------------------------------------------------------------- */

/* register + off, then optionally: the word there, + off2 */
struct address {
	u64 reg;
	s64 off, off2;
	bool deref;
};

static bool read_base(struct cfi_bytes *b, struct address *a)
{
	u8 op = cfi_byte(b);

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		a->reg = op - DW_OP_breg0;
	else if (op == DW_OP_bregx)
		a->reg = cfi_uleb(b);
	else
		return false;
	a->off = cfi_sleb(b);
	return true;
}

static bool read_address(struct cfi_bytes b, struct address *a)
{
	*a = (struct address){ 0 };
	if (!read_base(&b, a))
		return false;
	while (b.at < b.end && !b.bad) {
		s64 *off = a->deref ? &a->off2 : &a->off;
		u8 op = cfi_byte(&b);

		if (op == DW_OP_deref && !a->deref)
			a->deref = true;
		else if (op == DW_OP_plus_uconst)
			*off = (s64)((u64)*off + cfi_uleb(&b));
		else
			return false;
	}
	return !b.bad;
}

/* Of the PLT, as all linkers write it: breg(sp) OFF, breg(ip) 0, lit15, and, litN, ge, lit3, shl,
 * plus. */
static bool read_plt(struct cfi_bytes b, struct dtx_uw_rule *r)
{
	static const u8 end[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };
	struct address sp = { 0 }, ip = { 0 };
	u8 from;

	if (!read_base(&b, &sp) || !read_base(&b, &ip) || sp.reg != ARCH_DWARF_SP ||
	    ip.reg != ARCH_DWARF_RA || ip.off || cfi_byte(&b) != DW_OP_lit15 ||
	    cfi_byte(&b) != DW_OP_and || sp.off != (s32)sp.off)
		return false;
	from = cfi_byte(&b);
	if (from < DW_OP_lit0 || from > DW_OP_lit15 || b.end - b.at != sizeof(end) ||
	    memcmp(b.at, end, sizeof(end)))
		return false;
	r->kind = DTX_UW_PLT;
	r->reg = ARCH_DWARF_SP;
	r->off = (s32)sp.off;
	r->off2 = from - DW_OP_lit0;
	return true;
}

/* ---- a state as a rule ---------------------------------------------------------------- */

static bool set_cfa(const struct cfi_state *s, struct dtx_uw_rule *r)
{
	struct address a = { .reg = s->reg, .off = s->off };

	if (s->by_expr && !read_address(s->expr, &a))
		return read_plt(s->expr, r);
	r->kind = a.deref ? DTX_UW_CFA_AT : DTX_UW_CFA;
	r->reg = (u8)a.reg;
	r->off = (s32)a.off;
	r->off2 = (s32)a.off2;
	return a.reg < ARCH_DWARF_REGS && r->off == a.off && r->off2 == a.off2;
}

/* Where register i is, if the rule can hold that. */
static bool set_where(const struct cfi_where *w, u32 i, struct dtx_uw_rule *r)
{
	struct address a;
	s64 n = w->n;

	switch (w->how) {
	case CFI_SAVED:
		r->saved |= 1u << i;
		break;
	case CFI_INREG:
		r->inreg |= 1u << i;
		break;
	case CFI_EXPR:
		if (!read_address(w->expr, &a) || a.deref || a.reg >= ARCH_DWARF_REGS ||
		    (r->based && r->base != a.reg))
			return false;
		r->based |= 1u << i;
		r->base = (u8)a.reg;
		n = a.off;
		break;
	default:
		return false;
	}
	r->at[i] = (s16)n;
	return r->at[i] == n && (w->how != CFI_INREG || n < ARCH_DWARF_REGS);
}

static void set_reg(const struct cfi_where *w, u32 i, struct dtx_uw_rule *r)
{
	ARCH_UW_MASK bit = (ARCH_UW_MASK)(1u << i);

	if (w->how == CFI_SAME && i == DTX_UW_RA && ARCH_DWARF_RA < ARCH_DWARF_REGS) {
		r->inreg |= bit;         /* calls leave it in that register */
		r->at[i] = ARCH_DWARF_RA;
		return;
	}
	if (w->how == CFI_SAME || set_where(w, i, r))
		return;
	r->saved &= ~bit;
	r->based &= ~bit;
	r->inreg &= ~bit;
	r->lost |= bit;
	r->at[i] = 0;
}

/* Are all registers in the struct sigcontext that the kernel puts on the stack? */
static bool is_signal(const struct cfi_state *s, struct dtx_uw_rule *r)
{
	struct address sp, ip;

	if (!s->by_expr || !read_address(s->expr, &sp) || !sp.deref || sp.off2 ||
	    sp.reg >= ARCH_DWARF_REGS || s->regs[DTX_UW_RA].how != CFI_EXPR ||
	    !read_address(s->regs[DTX_UW_RA].expr, &ip) || ip.deref || ip.reg != sp.reg ||
	    sp.off != (s32)sp.off || ip.off - sp.off != ARCH_SIGNAL_IP - ARCH_SIGNAL_SP)
		return false;
	*r = (struct dtx_uw_rule){ .kind = DTX_UW_SIGNAL, .reg = (u8)sp.reg,
				   .off = (s32)sp.off - ARCH_SIGNAL_SP };
	return true;
}

static void make_rule(const struct cfi_state *s, struct dtx_uw_rule *r)
{
	*r = (struct dtx_uw_rule){ 0 };
	if (s->regs[DTX_UW_RA].how == CFI_UNDEFINED) {
		r->kind = DTX_UW_END;
		r->off = s->by_expr ? 0 : (s32)s->off;   /* for those that know better */
		return;
	}
	if (is_signal(s, r))
		return;
	if (set_cfa(s, r)) {
		for (u32 i = 0; i < DTX_UW_REGS; i++)
			set_reg(&s->regs[i], i, r);
		if ((r->saved | r->based | r->inreg) & 1u << DTX_UW_RA &&
		    !(r->lost & 1u << DTX_UW_SP))
			return;
	}
	*r = (struct dtx_uw_rule){ .kind = DTX_UW_CANNOT };
}

/* Most rows change an offset, or one register that is saved: that alone is done again.  false: the
 * rule must be made anew. */
static bool change_rule(const struct cfi_state *s, u32 dirty, struct dtx_uw_rule *r)
{
	if (dirty & (ALL | 1u << DTX_UW_RA | 1u << DTX_UW_SP) || r->kind != DTX_UW_CFA ||
	    r->based || r->inreg || r->lost || s->by_expr || s->reg >= ARCH_DWARF_REGS ||
	    s->off != (s32)s->off)
		return false;
	r->reg = (u8)s->reg;
	r->off = (s32)s->off;
	for (dirty &= CFA - 1; dirty; dirty &= dirty - 1) {
		u32 i = (u32)__builtin_ctz(dirty);
		const struct cfi_where *w = &s->regs[i];
		bool saved = w->how == CFI_SAVED;

		if ((!saved && w->how != CFI_SAME) || w->n != (s16)w->n)
			return false;
		r->saved = (ARCH_UW_MASK)((r->saved & ~(1u << i)) | (u32)saved << i);
		r->at[i] = saved ? (s16)w->n : 0;
	}
	return true;
}

/* ---- instructions ----------------------------------------------------------------------- */

/* Of enum dtx_uw_reg; DTX_UW_REGS: no rule holds this register. */
static u32 reg_index(const struct cfi_cie *c, u64 reg)
{
	static const u8 numbers[DTX_UW_REGS] = ARCH_DWARF_SAVED;

	if (reg == c->ra)
		return DTX_UW_RA;
	for (u32 i = DTX_UW_RA + 1; i < DTX_UW_REGS; i++)
		if (numbers[i] == reg)
			return i;
	return DTX_UW_REGS;
}

/* Where a register is, which changes; NULL: no rule holds it. */
static struct cfi_where *touch(struct run *r, u64 reg)
{
	u32 i = reg_index(r->cie, reg);

	if (i == DTX_UW_REGS)
		return NULL;
	r->dirty |= 1u << i;
	return &r->now.regs[i];
}

static void put_rule(struct run *r, u64 reg, enum cfi_how how, s64 n)
{
	struct cfi_where *w = touch(r, reg);

	if (w)
		*w = (struct cfi_where){ .how = how, .n = n };
}

static void put_expr(struct run *r, u64 reg, enum cfi_how how, struct cfi_bytes expr)
{
	struct cfi_where *w = touch(r, reg);

	if (w)
		*w = (struct cfi_where){ .how = how, .expr = expr };
}

static void restore(struct run *r, u64 reg)
{
	struct cfi_where *w = touch(r, reg);

	if (w)
		*w = r->cie->first.regs[w - r->now.regs];
}

static void emit(struct run *r)
{
	if (!r->dirty || !r->row)
		return;
	if (!change_rule(&r->now, r->dirty, &r->rule))
		make_rule(&r->now, &r->rule);
	r->row(r->arg, r->addr, &r->rule);
	r->dirty = 0;
}

/* false: the program has left its function, or ends. */
static bool advance(struct run *r, u64 bytes)
{
	emit(r);
	r->addr += bytes;
	return r->addr < r->end && r->addr >= bytes;
}

static bool remember(struct run *r)
{
	if (r->nkept == REMEMBER_MOST)
		return false;
	r->kept[r->nkept++] = r->now;
	return true;
}

static bool recall(struct run *r)
{
	if (!r->nkept)
		return false;
	r->now = r->kept[--r->nkept];
	r->dirty = ALL;
	return true;
}

static void set_base(struct run *r, u64 reg, s64 off)
{
	r->now.by_expr = false;
	r->now.reg = reg;
	r->now.off = off;
}

static s64 factored(const struct run *r, u64 n)
{
	return (s64)(n * (u64)r->cie->data_align);
}

/* Instructions that change where the CFA is; false: another one. */
static bool step_cfa(struct run *r, u8 op, struct cfi_bytes *b)
{
	u64 reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = cfi_uleb(b);
		set_base(r, reg, (s64)cfi_uleb(b));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cfi_uleb(b);
		set_base(r, reg, factored(r, (u64)cfi_sleb(b)));
		return true;
	case DW_CFA_def_cfa_register:
		set_base(r, cfi_uleb(b), r->now.off);
		return true;
	case DW_CFA_def_cfa_offset:
		r->now.off = (s64)cfi_uleb(b);
		return true;
	case DW_CFA_def_cfa_offset_sf:
		r->now.off = factored(r, (u64)cfi_sleb(b));
		return true;
	case DW_CFA_def_cfa_expression:
		r->now.by_expr = true;
		r->now.expr = cfi_block(b);
		return true;
	default:
		return false;
	}
}

/* Instructions that say where a register is; false: another one. */
static bool step_reg(struct run *r, u8 op, struct cfi_bytes *b)
{
	u64 reg = cfi_uleb(b);

	switch (op) {
	case DW_CFA_offset_extended:
		put_rule(r, reg, CFI_SAVED, factored(r, cfi_uleb(b)));
		return true;
	case DW_CFA_offset_extended_sf:
		put_rule(r, reg, CFI_SAVED, factored(r, (u64)cfi_sleb(b)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		put_rule(r, reg, CFI_SAVED, -factored(r, cfi_uleb(b)));
		return true;
	case DW_CFA_restore_extended:
		restore(r, reg);
		return true;
	case DW_CFA_undefined:
		put_rule(r, reg, CFI_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		put_rule(r, reg, CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		put_rule(r, reg, CFI_INREG, (s64)cfi_uleb(b));
		return true;
	case DW_CFA_expression:
		put_expr(r, reg, CFI_EXPR, cfi_block(b));
		return true;
	case DW_CFA_val_expression:
		put_expr(r, reg, CFI_LOST, cfi_block(b));
		return true;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:               /* Go says that the stack pointer is the CFA */
		put_rule(r, reg, !cfi_uleb(b) && reg == ARCH_DWARF_SP ? CFI_SAME : CFI_LOST, 0);
		return true;
	default:
		return false;
	}
}

/* One instruction without operands in its first byte; false: the end. */
static bool step_rest(struct run *r, u8 op, struct cfi_bytes *b)
{
	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_set_loc:
		return false;            /* no compiler for this machine writes it */
	case DW_CFA_advance_loc1:
	case DW_CFA_advance_loc2:
	case DW_CFA_advance_loc4:
		return advance(r, cfi_uint(b, 1u << (op - DW_CFA_advance_loc1)) *
					  r->cie->code_align);
	case DW_CFA_remember_state:
		return remember(r);
	case DW_CFA_restore_state:
		return recall(r);
	case DW_CFA_GNU_args_size:
		cfi_uleb(b);
		return true;
	default:
		if (ARCH_CFA_SKIPPED(op))
			return true;
		if (!step_cfa(r, op, b))
			return step_reg(r, op, b);
		r->dirty |= CFA;
		return true;
	}
}

/* false: the end, or an instruction that is not known: what follows cannot be read. */
static bool step(struct run *r, struct cfi_bytes *b)
{
	u8 op = cfi_byte(b), low = op & 0x3f;

	switch (op & 0xc0) {
	case DW_CFA_advance_loc:
		return advance(r, low * r->cie->code_align);
	case DW_CFA_offset:
		put_rule(r, low, CFI_SAVED, factored(r, cfi_uleb(b)));
		return true;
	case DW_CFA_restore:
		restore(r, low);
		return true;
	default:
		return step_rest(r, op, b);
	}
}

bool cfi_begin(struct cfi_cie *c, struct cfi_bytes prog)
{
	struct run r = { .cie = c, .end = ~0ull };

	while (prog.at < prog.end && !prog.bad)
		if (!step(&r, &prog))
			return false;
	c->first = r.now;
	make_rule(&c->first, &c->rule);
	return !prog.bad;
}

void cfi_run(const struct cfi_fde *f,
	     void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *), void *arg)
{
	static const struct dtx_uw_rule cannot = { .kind = DTX_UW_CANNOT };
	struct cfi_bytes prog = f->prog;
	struct run r;

	r.now = f->cie->first;
	r.cie = f->cie;
	r.addr = f->begin;
	r.end = f->end;
	r.rule = f->cie->rule;
	r.dirty = CFA;
	r.nkept = 0;
	r.row = row;
	r.arg = arg;
	while (prog.at < prog.end) {
		if (step(&r, &prog) && !prog.bad)
			continue;
		if (r.addr < r.end && r.addr >= f->begin)
			row(arg, r.addr, &cannot);
		return;
	}
	emit(&r);
}

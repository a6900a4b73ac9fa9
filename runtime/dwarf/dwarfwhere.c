/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfwhere.c - where a variable is at an address of a program: DWARF location expressions and
 * lists as the steps of dtx/step.h (DWARF 5, 2.5 and 2.6).
 * Why: docs/decisions/36-lines.md
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dwarf.h>
#include <gelf.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/unwind.h>
#include "runtime/code/code.h"
#include "runtime/dwarf/dwarf-private.h"
#include "runtime/unwind/unwind.h"

#define PIECES_MOST 64           /* bytes of a value in pieces: it is copied to the stack */

struct where {
	struct dwarf_obj *o;
	Dwarf_Die *subprogram;
	u64 addr;
	struct dtx_steps steps;
	u32 depth;               /* numbers on the stack */
	bool is_value;           /* the result is the value, not the address */
	u64 bytes;               /* of a value in pieces */
	u64 entry;               /* dtx_arg.entry */
	u32 nested;              /* frame bases */
	const char *why;         /* it cannot be computed */
};

static bool cannot(struct where *w, const char *why)
{
	if (!w->why)
		w->why = why;
	return false;
}

static bool add_step(struct where *w, enum step_op op, s64 n)
{
	const struct step_kind *k = &step_kinds[op];

	if (w->depth < k->takes || w->depth - k->takes + k->leaves > DTX_STEPS_DEEP)
		return cannot(w, "its debugging information is malformed");
	w->depth += k->leaves - k->takes;
	steps_add(w->o->env->arena, &w->steps, op, n);
	return true;
}

/* An operator whose second number is a constant. */
static bool add_with(struct where *w, enum step_op op, s64 n)
{
	return add_step(w, STEP_NUM, n) && add_step(w, op, 0);
}

static bool add_offset(struct where *w, s64 off)
{
	return !off || add_with(w, STEP_ADD, off);
}

bool dwarf_register(const struct dwarf_obj *o, u64 n, u32 *off)
{
	return o->bits32 ? arch_dwarf_reg32(n, off) : arch_dwarf_reg(n, off);
}

u32 dwarf_word(const struct dwarf_obj *o)
{
	return o->bits32 ? 4 : 8;
}

u32 dwarf_entry_cfa(const struct dwarf_obj *o)
{
	return o->bits32 ? ARCH_ENTRY_CFA32 : ARCH_ENTRY_CFA;
}

static bool add_register(struct where *w, u64 reg, s64 off)
{
	u32 at;

	if (!dwarf_register(w->o, reg, &at))
		return cannot(w, "it is in a floating-point or vector register");
	return add_step(w, STEP_REG, at) && add_offset(w, off);
}

/* ---- the frame -------------------------------------------------------------------------- */

/* The kernel keeps no call frame information in memory, and its files may have no code. */
static const struct dtx_uw_rule *kernel_rule(struct dwarf_obj *o, u64 addr)
{
	if (o->rule_at != addr)
		o->has_rule = unwind_debug_rule(o->elf, addr, &o->rule);
	o->rule_at = addr;
	return o->has_rule ? &o->rule : NULL;
}

static const struct dtx_uw_rule *user_rule(struct dwarf_obj *o, u64 addr)
{
	const struct unwind_table *t = dwarf_code(o) ? unwind_of(o->of, o->path) : NULL;

	return t ? unwind_find(t, elfsyms_file_off(dwarf_code(o), addr)) : NULL;
}

const struct dtx_uw_rule *dwarf_rule(struct dwarf_obj *o, u64 addr)
{
	return o->module ? kernel_rule(o, addr) : user_rule(o, addr);
}

static bool at_entry(const struct where *w)
{
	u64 entry;

	return w->subprogram && dwarf_entry_of(w->subprogram, &entry) && entry == w->addr;
}

/* Tables for unwinding are made of 64-bit programs only. */
static bool add_cfa(struct where *w)
{
	const struct dtx_uw_rule *r = w->o->bits32 ? NULL : dwarf_rule(w->o, w->addr);

	if (w->o->bits32 && at_entry(w))
		return add_step(w, STEP_REG, ARCH_REG_SP) &&
		       add_with(w, STEP_ADD, ARCH_ENTRY_CFA32);

	if (r && r->kind == DTX_UW_CFA)
		return add_register(w, r->reg, r->off);
	if (r && r->kind == DTX_UW_CFA_AT)
		return add_register(w, r->reg, r->off) && add_step(w, STEP_READ, 8) &&
		       add_offset(w, r->off2);
	return cannot(w, w->o->bits32 ?
		      "in 32-bit programs variables in the frame can be read at the entry only" :
		      "the frame of its function is not described at this place");
}

static bool add_ops(struct where *w, Dwarf_Attribute *, const Dwarf_Op *, size_t n);

static bool add_frame_base(struct where *w, s64 off)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	u64 reg;

	if (w->nested++ || !w->subprogram ||
	    !dwarf_attr_integrate(w->subprogram, DW_AT_frame_base, &a) ||
	    dwarf_getlocation_addr(&a, w->addr, &ops, &n, 1) != 1)
		return cannot(w, "the frame of its function is not described");
	/* The frame is made by the first instructions; above it are arguments from the caller. */
	if (at_entry(w) && (off < 0 || n != 1 || ops->atom != DW_OP_call_frame_cfa))
		return cannot(w, "the function has not stored it yet where it begins; a line of "
				 "the function has it");
	reg = n == 1 && ops->atom == DW_OP_regx ? ops->number :
	      n == 1 && ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31 ?
	      (u64)ops->atom - DW_OP_reg0 : ~0ull;
	if (!(reg == ~0ull ? add_ops(w, &a, ops, n) : add_register(w, reg, 0)))
		return false;
	w->nested--;
	return add_offset(w, off);
}

/* ---- operations -------------------------------------------------------------------------- */

static const struct { u8 op; enum step_op step; } plain[] = {
	{ DW_OP_plus, STEP_ADD }, { DW_OP_minus, STEP_SUB }, { DW_OP_mul, STEP_MUL },
	{ DW_OP_mod, STEP_MOD },  { DW_OP_and, STEP_AND },   { DW_OP_or, STEP_OR },
	{ DW_OP_xor, STEP_XOR },  { DW_OP_shl, STEP_SHL },   { DW_OP_shr, STEP_SHR },
	{ DW_OP_shra, STEP_SHRA }, { DW_OP_eq, STEP_EQ },    { DW_OP_ne, STEP_NE },
	{ DW_OP_lt, STEP_LT },    { DW_OP_gt, STEP_GT },     { DW_OP_le, STEP_LE },
	{ DW_OP_ge, STEP_GE },    { DW_OP_neg, STEP_NEG },   { DW_OP_not, STEP_NOT },
	{ DW_OP_dup, STEP_DUP },  { DW_OP_drop, STEP_DROP }, { DW_OP_swap, STEP_SWAP },
	{ DW_OP_over, STEP_OVER }, { DW_OP_rot, STEP_ROT },
};

static bool is_of_each_cpu(struct dwarf_obj *o, u64 addr)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(o->elf, &names))
		return false;
	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ?
				   elf_strptr(o->elf, names, sh.sh_name) : NULL;

		if (name && sh.sh_flags & SHF_ALLOC && addr - sh.sh_addr < sh.sh_size &&
		    !strncmp(name, ".data..percpu", 13))
			return true;
	}
	return false;
}

static bool add_kernel_address(struct where *w, u64 addr)
{
	struct elfsyms *syms = dwarf_code(w->o);
	u64 off;
	const char *symbol = syms ? kdebug_symbol(syms, w->o->module, addr, &off) : NULL;

	if (is_of_each_cpu(w->o, addr))
		return cannot(w, "it is a variable of each CPU");
	if (!symbol)
		return cannot(w, "its module has several symbols of its name, or none");
	steps_add_symbol(w->o->env->arena, &w->steps,
			 arena_printf(w->o->env->arena, "%s`%s", w->o->module, symbol));
	w->depth++;
	return add_offset(w, (s64)off);
}

/* Addresses of a program count from the place of the probe: it may be loaded anywhere. */
static bool add_address(struct where *w, u64 addr)
{
	if (w->o->module)
		return add_kernel_address(w, addr);
	return add_step(w, STEP_REG, ARCH_REG_IP) && add_with(w, STEP_ADD, (s64)(addr - w->addr));
}

/* An address of the table that an object has for the entries of another file. */
static bool add_indexed(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	Dwarf_Attribute at;
	Dwarf_Addr addr;

	if (dwarf_getlocation_attr(a, op, &at) || dwarf_formaddr(&at, &addr))
		return cannot(w, "its debugging information is malformed");
	return add_address(w, addr);
}

static bool whole_register(const Dwarf_Op *op, u64 *reg)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		*reg = op->atom - DW_OP_reg0;
	else if (op->atom == DW_OP_regx)
		*reg = op->number;
	else
		return false;
	return true;
}

static bool add_constant(struct where *w, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return add_step(w, STEP_NUM, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts)
		return add_step(w, STEP_NUM, (s64)op->number);
	return cannot(w, "its value is computed by operations of DWARF that are not supported");
}

/*
 * The value that a register had at the call.  Where the function begins it is still there; further
 * on it is what a probe there has kept, by the place of the entry and the frame.  In the kernel the
 * entry is a number, its address in the file: a kprobe does not tell where it was set.
 */
static bool add_entry_value(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	Dwarf_Attribute inner;
	const char *why;
	Dwarf_Op *ops;
	u64 reg, entry;
	size_t n;
	u32 at;

	if (!w->subprogram || !dwarf_entry_of(w->subprogram, &entry) ||
	    dwarf_getlocation_attr(a, op, &inner) || dwarf_getlocation(&inner, &ops, &n))
		return cannot(w, "its debugging information is malformed");
	if (n == 1 && whole_register(ops, &reg) && entry == w->addr)
		return add_register(w, reg, 0);
	if (n != 1 || !whole_register(ops, &reg))
		return cannot(w, "the function no longer has it here, only its caller; save it in "
				 "the entry probe");
	if (!dwarf_register(w->o, reg, &at))
		return cannot(w, "it is in a floating-point or vector register");
	if (w->o->bits32)
		return cannot(w, "the function of the 32-bit program no longer has it here");
	why = dwarf_entry_trouble(w->o, w->subprogram, entry);
	if (why)
		return cannot(w, arena_printf(w->o->env->arena, "the function no longer has it "
					      "here, only its caller, and %s", why));
	w->entry = w->o->module ? entry : elfsyms_file_off(dwarf_code(w->o), entry);
	return (w->o->module ? add_step(w, STEP_NUM, (s64)entry) : add_address(w, entry)) &&
	       add_cfa(w) && add_step(w, STEP_ENTRY, at);
}

static bool add_implicit(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	Dwarf_Block b;
	u64 v = 0;

	if (dwarf_getlocation_implicit_value(a, op, &b) || b.length > 8)
		return cannot(w, "its value is a constant of more than 8 bytes");
	memcpy(&v, b.data, b.length);
	w->is_value = true;
	return add_step(w, STEP_NUM, (s64)v);
}

/* The number as one of another type. */
static bool add_convert(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;
	Dwarf_Die type;
	u32 bits;
	int size;

	if (!op->number)                 /* that of addresses */
		return true;
	if (dwarf_getlocation_die(a, op, &type) || (size = dwarf_bytesize(&type)) < 1 || size > 8 ||
	    dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attr), &encoding))
		return cannot(w, "its debugging information is malformed");
	bits = 64 - 8 * size;
	if (dwarf_is_float(encoding))
		return cannot(w, "it is a floating-point number that is computed");
	if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
		return !bits || (add_with(w, STEP_SHL, bits) && add_with(w, STEP_SHRA, bits));
	return !bits || add_with(w, STEP_AND, (s64)(~0ull >> bits));
}

static bool add_op(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	for (u32 i = 0; i < ARRAY_SIZE(plain); i++)
		if (plain[i].op == op->atom)
			return add_step(w, plain[i].step, 0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return add_register(w, op->atom - DW_OP_breg0, (s64)op->number);
	switch (op->atom) {              /* dispatch */
	case DW_OP_nop:
		return true;
	case DW_OP_bregx:
		return add_register(w, op->number, (s64)op->number2);
	case DW_OP_fbreg:
		return add_frame_base(w, (s64)op->number);
	case DW_OP_call_frame_cfa:
		return add_cfa(w);
	case DW_OP_addr:
		return add_address(w, op->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return add_indexed(w, a, op);
	case DW_OP_plus_uconst:
		return add_with(w, STEP_ADD, (s64)op->number);
	case DW_OP_deref:
		return add_step(w, STEP_READ, dwarf_word(w->o));
	case DW_OP_deref_size:
		return op->number == 1 || op->number == 2 || op->number == 4 || op->number == 8 ?
		       add_step(w, STEP_READ, (s64)op->number) :
		       cannot(w, "its debugging information is malformed");
	case DW_OP_stack_value:
		w->is_value = true;
		return true;
	case DW_OP_implicit_value:
		return add_implicit(w, a, op);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return add_entry_value(w, a, op);
	case DW_OP_convert:
	case DW_OP_GNU_convert:
		return add_convert(w, a, op);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return cannot(w, "it is a variable of each thread");
	case DW_OP_GNU_parameter_ref:
		return cannot(w, "the compiler has removed the parameter from this copy of the "
				 "function");
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return cannot(w, "the pointer is optimised out, what it points to may be there");
	default:
		return add_constant(w, op);
	}
}

/*
 * The smaller or larger of two numbers, as gcc writes it: a branch to the last of "bra swap drop",
 * so that one of the two is dropped (minmax_loc_descriptor() of its dwarf2out.cc).  There are no
 * other branches.
 */
static bool is_choice(const Dwarf_Op *ops, size_t n)
{
	return n >= 3 && ops[0].atom == DW_OP_bra && ops[0].number == 1 &&
	       ops[1].atom == DW_OP_swap && ops[2].atom == DW_OP_drop;
}

static bool add_ops(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool choice = is_choice(ops + i, n - i);

		if (!(choice ? add_step(w, STEP_PICK, 0) : add_op(w, a, &ops[i])))
			return false;
		i += choice ? 2 : 0;
	}
	return true;
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* One piece of `bytes` as a number without other bits above. */
static bool add_piece(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *ops, size_t n, u64 bytes)
{
	u64 reg;

	if (!n)
		return cannot(w, "a part of it is optimised out here");
	w->is_value = false;
	if (n == 1 && whole_register(ops, &reg)) {
		w->is_value = true;
		if (!add_register(w, reg, 0))
			return false;
	} else if (!add_ops(w, a, ops, n)) {
		return false;
	}
	if (!w->is_value)
		return add_step(w, STEP_READ, (s64)bytes);
	return bytes == 8 || add_with(w, STEP_AND, (1ll << 8 * bytes) - 1);
}

/* A value that is in several places. */
static bool add_pieces(struct where *w, Dwarf_Attribute *a, const Dwarf_Op *ops, size_t n)
{
	size_t from = 0;
	u64 at = 0;

	for (size_t i = 0; i < n; i++) {
		u64 bytes = ops[i].number, in = at % 8;

		if (ops[i].atom != DW_OP_piece)
			continue;
		if (in + bytes > 8 || at + bytes > PIECES_MOST ||
		    (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
			return cannot(w, "it is in several places that do not fit into words");
		if (at && !in && !add_step(w, STEP_WORD, 0))
			return false;
		if (!add_piece(w, a, ops + from, i - from, bytes) ||
		    (in && !(add_with(w, STEP_SHL, (s64)in * 8) && add_step(w, STEP_OR, 0))))
			return false;
		at += bytes;
		from = i + 1;
	}
	w->is_value = true;
	w->bytes = at;
	return true;
}

static bool is_compound(struct type *t)
{
	enum type_kind kind = type_base(t)->kind;

	return kind == T_STRUCT || kind == T_UNION;
}

static bool in_pieces(const Dwarf_Op *ops, size_t n)
{
	return n && (ops[n - 1].atom == DW_OP_piece || ops[n - 1].atom == DW_OP_bit_piece);
}

/* ---- variables ---------------------------------------------------------------------------- */

/* The form of a constant does not tell whether it has a sign: its type does. */
static void set_constant(struct dtx_arg *a, s64 value)
{
	u32 above = a->size && a->size < 8 ? 64 - 8 * a->size : 0;

	a->loc = LOC_CONST;
	value = (s64)((u64)value << above);
	a->value = a->is_signed ? value >> above : (s64)((u64)value >> above);
}

static bool set_register(const struct where *w, struct dtx_arg *a, const Dwarf_Op *ops, size_t n)
{
	u64 reg;
	u32 off;

	if (n != 1 || !whole_register(ops, &reg) || a->size > dwarf_word(w->o) ||
	    !dwarf_register(w->o, reg, &off))
		return false;
	a->loc = LOC_REG;
	a->off = (s32)off;
	return true;
}

static void set_ops(struct where *w, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n,
		    struct dtx_arg *a)
{
	u64 reg;
	bool done;

	if (set_register(w, a, ops, n))
		return;
	if (n == 1 && whole_register(ops, &reg))
		done = cannot(w, dwarf_register(w->o, reg, &(u32){ 0 }) ?
				 "it is in more than one register" :
				 "it is in a floating-point or vector register");
	else
		done = in_pieces(ops, n) ? add_pieces(w, attr, ops, n) : add_ops(w, attr, ops, n);
	if (done && w->bytes && w->bytes < a->size)
		done = cannot(w, "a part of it is optimised out here");
	if (done && w->is_value && a->size > 8 &&
	    !(w->bytes == a->size && is_compound(a->type)))
		done = cannot(w, "it is not in memory, and larger than 8 bytes");
	if (done && w->depth != 1)
		done = cannot(w, "its debugging information is malformed");
	if (done) {
		a->loc = w->is_value ? LOC_VALUE : LOC_PLACE;
		a->steps = w->steps;
		a->entry = w->entry;
	} else {
		a->text = w->why;
	}
}

/* The line of the source at this place, and its file; 0: unknown. */
static int line_of(struct dwarf_obj *o, u64 addr, const char **file)
{
	Dwarf_Die unit;
	Dwarf_Line *line = dwarf_unit_at(o, addr, &unit) ? dwarf_getsrc_die(&unit, addr) : NULL;
	int n = 0;

	*file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	return *file && !dwarf_lineno(line, &n) ? n : 0;
}

/* Of two places for a hint: the next one, else the last one before. */
static bool is_better(u64 place, u64 than, u64 addr)
{
	if (!than)
		return true;
	return place > addr ? than <= addr || place < than : than <= addr && place > than;
}

/* Names a line of the same file: code that is inlined here has lines of other files. */
static void set_optimised_out(struct where *w, Dwarf_Attribute *attr, struct dtx_arg *a)
{
	const char *here, *file;
	Dwarf_Addr base, begin, end;
	u64 best = 0;
	Dwarf_Op *ops;
	ptrdiff_t at = 0;
	size_t n;
	int line = 0, there;

	line_of(w->o, w->addr, &here);
	while (attr && here &&
	       (at = dwarf_getlocations(attr, at, &base, &begin, &end, &ops, &n)) > 0) {
		if (begin >= end || !n || !is_better(begin, best, w->addr))
			continue;                /* none, or it holds between two statements */
		there = line_of(w->o, begin, &file);
		if (!there || strcmp(file, here))
			continue;
		best = begin;
		line = there;
	}
	a->text = line ? arena_printf(w->o->env->arena,
				      "it is optimised out here; at line %d it is there", line) :
		  "it is optimised out";
}

/*
 * The location at w->addr.  Several hold at the first instruction of a function if it computes
 * nothing before it changes a parameter: the first is that of the call (gcc's views, which libdw
 * does not know; ranges without an address in them).
 */
static bool location(const struct where *w, Dwarf_Attribute *attr, Dwarf_Op **ops, size_t *n)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t at = 0;

	while (at_entry(w) && (at = dwarf_getlocations(attr, at, &base, &begin, &end, ops, n)) > 0)
		if (begin == w->addr && *n)
			return true;
	return dwarf_getlocation_addr(attr, w->addr, ops, n, 1) == 1 && *n;
}

void dwarf_where(struct dwarf_obj *o, Dwarf_Die *variable, Dwarf_Die *subprogram, u64 addr,
		 struct dtx_arg *a)
{
	struct where w = { .o = o, .subprogram = subprogram, .addr = addr };
	Dwarf_Attribute attr, value;
	Dwarf_Word number;
	Dwarf_Op *ops;
	size_t n;

	a->loc = LOC_NONE;
	if (dwarf_attr_integrate(variable, DW_AT_const_value, &value)) {
		if (!dwarf_formudata(&value, &number))
			set_constant(a, (s64)number);
		else
			a->text = "its value is a constant of more than 8 bytes";
		return;
	}
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr))
		set_optimised_out(&w, NULL, a);
	else if (!location(&w, &attr, &ops, &n))
		set_optimised_out(&w, &attr, a);
	else
		set_ops(&w, &attr, ops, n, a);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfparam.c - where the parameters of a function are at its first instruction.
 *
 * In optimised code DWARF says it for each instruction.  Else it says for the whole function where
 * the parameter is once it was stored: then the first instructions say where it was before
 * (arch_prologue).
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dwarf.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include "runtime/code/code.h"
#include "runtime/dwarf/dwarf-private.h"

#define CODE_READ  512           /* bytes of a function whose stores are looked at */
#define STILL_MOST 8192          /* bytes of a function whose call frame information is read */
#define HOME_BYTES 32            /* ms_abi: room for four registers above the return address */

struct look {
	struct dwarf_obj *o;
	Dwarf_Die func;
	u64 addr;
	bool exact;              /* locations of registers hold from the first instruction on */
	bool follows;            /* those of memory, too */
	bool like_c;             /* called as C's are */
	bool loose;              /* Free Pascal: a register that it names may be that of another */
	struct arch_prologue code;
	char base;               /* of the frame: 'c' the CFA, 's', 'f' stack, frame pointer */
	s64 base_off;            /* from it */
};

/* ---- the function ------------------------------------------------------------------------- */

/* gcc follows variables from instruction to instruction if it optimises.  It writes its options
 * into DW_AT_producer. */
static bool is_followed(Dwarf_Die *unit)
{
	const char *by = dwarf_producer(unit), *o = strstr(by, " -O");

	return dwarf_is_llvm(unit) || dwarf_srclang(unit) == DW_LANG_Rust ||
	       (!strncmp(by, "GNU ", 4) && o && o[3] != '0' && !strstr(by, "-fno-var-tracking"));
}

static bool is_external(Dwarf_Die *func)
{
	Dwarf_Attribute a;
	bool external = false;

	return dwarf_attr_integrate(func, DW_AT_external, &a) &&
	       !dwarf_formflag(&a, &external) && external;
}

static void read_code(struct look *l)
{
	struct elfsyms *syms = dwarf_code(l->o);
	u64 off = syms ? elfsyms_file_off(syms, l->addr) : ~0ull;
	int fd = off == ~0ull ? -1 : codefile_fd(l->o->of);
	u8 code[CODE_READ];
	ssize_t n = fd < 0 ? 0 : pread(fd, code, sizeof(code), (off_t)off);

	arch_prologue(code, (size_t)MAX(n, 0), l->o->bits32, &l->code);
}

/* ---- the frame ------------------------------------------------------------------------------ */

/* 's' or 'f': the register is the stack or the frame pointer. */
static char base_register(const struct look *l, u64 reg)
{
	u32 at;

	if (!dwarf_register(l->o, reg, &at))
		return '\0';
	return at == ARCH_REG_SP ? 's' : at == ARCH_REG_FP ? 'f' : '\0';
}

static void read_base(struct look *l)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	u32 op;

	if (!dwarf_attr_integrate(&l->func, DW_AT_frame_base, &a) ||
	    dwarf_getlocation_addr(&a, l->addr, &ops, &n, 1) != 1 || n != 1)
		return;
	op = ops->atom;
	if (op == DW_OP_call_frame_cfa) {
		l->base = 'c';
	} else if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		l->base = base_register(l, op - DW_OP_reg0);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		/* A list of places: that at the entry, where the CFA is above the stack pointer. */
		if (base_register(l, op - DW_OP_breg0) != 's')
			return;
		l->base = 'c';
		l->base_off = (s64)ops->number - dwarf_entry_cfa(l->o);
	}
}

/* A place that debugging information counts from the frame. */
struct slot { char base; s64 off; };

/* The place of a slot from the CFA when `s` was stored. */
static s64 slot_at(const struct look *l, const struct slot *slot, const struct arch_store *s)
{
	switch (slot->base) {
	case 's': return slot->off + s->sp;
	case 'f': return slot->off + l->code.fp;
	default:  return slot->off;
	}
}

static const struct arch_store *part_of(const struct look *l, const struct slot *slot, s64 more)
{
	if (slot->base == 'f' && !l->code.has_fp)
		return NULL;
	for (u32 i = 0; i < l->code.n; i++)
		if (l->code.stores[i].at == slot_at(l, slot, &l->code.stores[i]) + more)
			return &l->code.stores[i];
	return NULL;
}

/* ---- one parameter -------------------------------------------------------------------------- */

static void set_origin(const struct look *l, struct dtx_arg *a, const struct arch_origin *from)
{
	a->loc = from->stack ? LOC_STACK : LOC_REG;
	a->off = from->stack ? from->at + (s32)dwarf_entry_cfa(l->o) : from->at;
	a->user = true;
	a->text = NULL;
	a->steps = (struct dtx_steps){ 0 };
}

/* In memory at the address in a register. */
static void set_behind(const struct look *l, struct dtx_arg *a, s32 reg)
{
	a->loc = LOC_PLACE;
	a->steps = (struct dtx_steps){ 0 };
	steps_add(l->o->env->arena, &a->steps, STEP_REG, reg);
}

/* Bytes of the value in which something lies. */
static u64 content(struct type *t, u64 at, u32 depth)
{
	struct type *b = type_complete(type_base(t));
	u64 mask = 0;

	if (!b || at >= 16 || depth > 8)
		return 0;
	if ((b->kind == T_STRUCT) && b->count) {
		for (u32 i = 0; i < b->count; i++)
			mask |= content(b->members[i].type, at + b->members[i].bit_off / 8,
					depth + 1);
		return mask;
	}
	return ((1ull << MIN(b->size, 16u)) - 1) << at & 0xffff;
}

static void add_part(const struct look *l, struct dtx_steps *steps, const struct arch_store *s,
		     u32 in)
{
	struct arena *arena = l->o->env->arena;

	steps_add(arena, steps, STEP_REG, s->from.stack ? ARCH_REG_SP : s->from.at);
	if (s->from.stack) {
		steps_add(arena, steps, STEP_NUM, s->from.at + (s32)dwarf_entry_cfa(l->o));
		steps_add(arena, steps, STEP_ADD, 0);
		steps_add(arena, steps, STEP_READ, s->bytes);
	} else if (s->bytes < 8) {
		steps_add(arena, steps, STEP_NUM, (s64)((1ull << 8 * s->bytes) - 1));
		steps_add(arena, steps, STEP_AND, 0);
	}
	if (in) {
		steps_add(arena, steps, STEP_NUM, 8 * in);
		steps_add(arena, steps, STEP_SHL, 0);
	}
}

/* A value that was stored in several parts: two registers, or less than eight bytes of each. */
static bool set_parts(const struct look *l, const struct slot *slot, struct dtx_arg *a)
{
	struct arena *arena = l->o->env->arena;
	struct dtx_steps steps = { 0 };
	u64 have = 0, want = content(a->type, 0, 0);

	for (u32 at = 0; at < a->size;) {
		const struct arch_store *s = part_of(l, slot, at);
		u32 in = at % 8;

		if (at && !in && !(have >> (at - 8) & 0xff))
			steps_add(arena, &steps, STEP_NUM, 0);
		if (at && !in)
			steps_add(arena, &steps, STEP_WORD, 0);
		if (!s || s->from.behind || in + s->bytes > 8) {
			at++;
			continue;
		}
		add_part(l, &steps, s, in);
		if (have >> (at - in) & 0xff)
			steps_add(arena, &steps, STEP_OR, 0);
		have |= ((1ull << s->bytes) - 1) << at;
		at += s->bytes;
	}
	if (!(have >> (a->size - 1) / 8 * 8))
		steps_add(arena, &steps, STEP_NUM, 0);
	if (want && !(want & ~have)) {
		a->loc = LOC_VALUE;
		a->steps = steps;
		a->size = MAX(a->size, 8);
	}
	return a->loc == LOC_VALUE;
}

static bool is_aggregate(struct type *t)
{
	struct type *b = type_base(t);

	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

/* The function does not move the stack pointer at all, as its call frame information says. */
static bool is_still(const struct look *l)
{
	Dwarf_Addr end;

	if (l->o->bits32 || dwarf_highpc((Dwarf_Die *)&l->func, &end) || end <= l->addr ||
	    end - l->addr > STILL_MOST)
		return false;
	for (u64 at = l->addr; at < end; at++) {
		const struct dtx_uw_rule *r = dwarf_rule(l->o, at);

		if (!r || r->kind != DTX_UW_CFA || r->off != ARCH_ENTRY_CFA ||
		    base_register(l, r->reg) != 's')
			return false;
	}
	return true;
}

/* Above the frame, where callers put arguments: nothing was seen that stores something there. */
static enum dwarf_said above(const struct look *l, const struct slot *slot, struct dtx_arg *a)
{
	const struct arch_prologue *c = &l->code;
	struct arch_store last = { .sp = c->n ? c->stores[c->n - 1].sp : -ARCH_ENTRY_CFA };
	struct arch_origin from = { .stack = true };

	if ((slot->base == 'f' && !c->has_fp) || (slot->base == 's' && !c->n && !is_still(l)))
		return SAID_UNREAD;
	from.at = (s32)slot_at(l, slot, &last);
	if (from.at < 0)
		return SAID_UNREAD;
	set_origin(l, a, &from);
	return l->o->bits32 || from.at >= HOME_BYTES ? SAID_KNOWN : SAID_LIKELY;
}

static enum dwarf_said in_slot(const struct look *l, const struct slot *slot, struct dtx_arg *a)
{
	const struct arch_store *s = part_of(l, slot, 0);
	struct type *b = type_base(a->type);

	if (b && b->kind == T_FLOAT)
		return SAID_UNREAD;
	if (!s)
		return above(l, slot, a);
	if (s->from.behind) {                    /* a copy of what was passed by address */
		set_behind(l, a, s->from.at);
		return s->from.disp ? SAID_UNREAD : SAID_KNOWN;
	}
	if (a->size <= 8 && s->bytes >= a->size && !(s->from.stack && is_aggregate(b))) {
		set_origin(l, a, &s->from);
		a->size = is_aggregate(b) ? 8 : a->size;
		return SAID_KNOWN;
	}
	return is_aggregate(b) && a->size <= 16 && set_parts(l, slot, a) ? SAID_KNOWN : SAID_UNREAD;
}

/* The frame keeps the address of the value: the address comes from a register. */
static enum dwarf_said behind_slot(const struct look *l, const struct slot *slot, bool is_pointer,
				   struct dtx_arg *a)
{
	const struct arch_store *s = part_of(l, slot, 0);

	if (!s || s->bytes < dwarf_word(l->o) || s->from.behind)
		return SAID_UNREAD;
	if (is_pointer || s->from.stack) {       /* the prototype has the address, too */
		set_origin(l, a, &s->from);
		return is_pointer ? SAID_KNOWN : SAID_UNREAD;
	}
	set_behind(l, a, s->from.at);
	return SAID_KNOWN;
}

/* What a register holds behind the first instructions; false: it is not known. */
static bool held(const struct look *l, u32 reg, struct arch_origin *from)
{
	for (u32 i = 0; i < ARRAY_SIZE(l->code.regs); i++) {
		if (l->code.regs[i].reg != reg)
			continue;
		*from = l->code.regs[i].from;
		return !l->code.regs[i].lost && from->bytes;
	}
	return false;
}

/* The value is in this register for the whole function. */
static enum dwarf_said in_register(const struct look *l, u32 reg, struct dtx_arg *a)
{
	struct arch_origin from = { .at = (s32)reg, .bytes = 8 };

	bool exact = l->exact && !(l->like_c && arch_reg_kept(reg));

	if (!exact && !held(l, reg, &from))
		return SAID_UNREAD;
	if (a->size > 8 || from.behind)
		return SAID_UNREAD;
	set_origin(l, a, &from);
	if (l->loose)
		return SAID_LIKELY;
	return exact || from.at != (s32)reg || from.stack ? SAID_KNOWN : SAID_UNREAD;
}

/*
 * In memory at a register, for the whole function: what gcc says of values that are passed by
 * address.  It does not follow these registers: one may get the address only later, or something
 * else.
 */
static enum dwarf_said at_register(const struct look *l, u32 reg, bool is_pointer,
				   struct dtx_arg *a)
{
	struct arch_origin from = { 0 };

	held(l, reg, &from);
	if (!from.bytes || from.stack || from.behind || arch_reg_kept((u32)from.at))
		return SAID_UNREAD;
	if (is_pointer)
		set_origin(l, a, &from);
	else
		set_behind(l, a, from.at);
	return SAID_LIKELY;
}

/* Is it a register and a number?  Then the bytes of the register, and the number. */
static bool is_base(const struct look *l, const Dwarf_Op *op, u32 *reg, s64 *off)
{
	bool any = op->atom == DW_OP_bregx;

	*off = (s64)(any ? op->number2 : op->number);
	return (any || (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)) &&
	       dwarf_register(l->o, any ? op->number : op->atom - (u64)DW_OP_breg0, reg);
}

static bool is_whole(const struct look *l, const Dwarf_Op *op, u32 *reg)
{
	bool any = op->atom == DW_OP_regx;

	return (any || (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)) &&
	       dwarf_register(l->o, any ? op->number : op->atom - (u64)DW_OP_reg0, reg);
}

/* One place for the whole function. */
static bool is_slot(const struct look *l, const Dwarf_Op *op, struct slot *slot)
{
	u32 reg;

	if (op->atom == DW_OP_fbreg)
		*slot = (struct slot){ l->base, (s64)op->number + l->base_off };
	else if (is_base(l, op, &reg, &slot->off))
		slot->base = reg == ARCH_REG_SP ? 's' : reg == ARCH_REG_FP ? 'f' : '\0';
	else
		return false;
	return slot->base;
}

/*
 * Does one place for the whole function count from a register that holds something of the caller's
 * where the function begins?  The compiler means what is in it once the frame is made.
 */
static bool needs_frame(const struct look *l, const Dwarf_Op *ops, size_t n)
{
	u32 reg;
	s64 off;

	for (size_t i = 0; i < n; i++)
		if (ops[i].atom == DW_OP_fbreg ||
		    ((is_base(l, &ops[i], &reg, &off) || is_whole(l, &ops[i], &reg)) &&
		     (reg == ARCH_REG_SP || (l->like_c && arch_reg_kept(reg)))))
			return true;
	return false;
}

static bool is_list(Dwarf_Attribute *a)
{
	switch (dwarf_whatform(a)) {
	case DW_FORM_sec_offset: case DW_FORM_loclistx: case DW_FORM_data4: case DW_FORM_data8:
		return true;
	default:
		return false;
	}
}

/* Is it more than what registers hold?  Then the function has changed it before it did anything. */
static bool is_computed(const struct dtx_arg *a)
{
	for (u32 i = 0; i < a->steps.n; i++) {
		const struct dtx_step *s = &a->steps.v[i];

		if (s->op > STEP_WORD || s->op == STEP_READ || s->op == STEP_ENTRY || s->n < 0)
			return a->loc == LOC_VALUE;
	}
	return false;
}

/* The address of a value that the prototype has as a pointer is that pointer. */
static enum dwarf_said as_dwarf_says(struct look *l, Dwarf_Die *die, bool is_pointer,
				     struct dtx_arg *a)
{
	struct dtx_arg own = *a;
	u32 reg;

	own.type = dwarf_type_of(l->o, die);
	if (is_pointer)
		own.size = MIN(type_complete(type_base(own.type))->size, UINT16_MAX);
	dwarf_where(l->o, die, &l->func, l->addr, &own);
	if (is_pointer && own.loc == LOC_PLACE && steps_are_register(&own.steps, &reg)) {
		own.loc = LOC_REG;
		own.off = (s32)reg;
	} else if (is_pointer && own.loc != LOC_NONE) {
		return SAID_UNREAD;
	}
	a->loc = own.loc;
	a->off = own.off;
	a->text = own.text;
	a->steps = own.steps;
	a->value = own.value;
	a->entry = own.entry;
	a->user = true;
	if ((a->loc == LOC_REG || a->loc == LOC_VALUE) && a->size < 8 && is_aggregate(a->type))
		a->size = 8;             /* a whole register */
	return a->loc == LOC_CONST || is_computed(a) ||
	       (a->loc == LOC_NONE && strstr(a->text, "optimised out")) ? SAID_NOTHING : SAID_KNOWN;
}

static enum dwarf_said parameter(struct look *l, Dwarf_Die *die, struct dtx_arg *a)
{
	struct type *own = type_base(dwarf_type_of(l->o, die)), *b = type_base(a->type);
	bool is_pointer = b && b->kind == T_PTR && own && own->kind != T_PTR;
	struct slot slot;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;
	s64 off;
	u32 reg;

	a->text = "debugging information does not say where it is at the entry of the function";
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, l->addr, &ops, &n, 1) != 1 || !n) {
		as_dwarf_says(l, die, is_pointer, a);
		return SAID_NOTHING;
	}
	if (is_list(&attr))
		return as_dwarf_says(l, die, is_pointer, a);
	if (n <= 2 && is_slot(l, ops, &slot) && (n == 1 || ops[1].atom == DW_OP_deref))
		return n == 1 && !is_pointer ? in_slot(l, &slot, a) :
		       n == 2 ? behind_slot(l, &slot, is_pointer, a) : SAID_UNREAD;
	if (n == 1 && !l->follows && is_base(l, ops, &reg, &off) && !off)
		return at_register(l, reg, is_pointer, a);
	if (n == 1 && is_whole(l, ops, &reg) && !is_pointer && a->size <= 8)
		return in_register(l, reg, a);
	return (l->exact && !needs_frame(l, ops, n)) ||
	       (ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31) ?
	       as_dwarf_says(l, die, is_pointer, a) : SAID_UNREAD;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The entry of the copy for one of the source; false: the copy has not got it. */
static bool own_entry(Dwarf_Die *func, Dwarf_Die *declared, Dwarf_Die *out)
{
	struct dwarf_params_at at = { 0 };
	Dwarf_Attribute a;
	Dwarf_Die origin;

	while (dwarf_next_parameter(func, &at, out))
		if (out->addr == declared->addr ||
		    (dwarf_attr(out, DW_AT_abstract_origin, &a) &&
		     dwarf_formref_die(&a, &origin) && origin.addr == declared->addr))
			return true;
	return false;
}

/* Else it would be taken for what C has there: the address of an array. */
static void refuse_vector(struct dtx_arg *a)
{
	struct type *b = type_base(a->type);

	if (!b || b->kind != T_ARRAY || (a->loc != LOC_REG && a->loc != LOC_VALUE))
		return;
	a->loc = LOC_NONE;
	a->text = "it is a vector in a register for numbers";
}

static void each_parameter(struct look *l, struct dwarf_params *p)
{
	Dwarf_Die origin, die, own, *declared = dwarf_as_declared(&l->func, &origin);
	struct dwarf_params_at at = { 0 };
	u32 i = 0;

	for (; i < p->n && dwarf_next_parameter(declared, &at, &die); i++) {
		if (own_entry(&l->func, &die, &own)) {
			p->said[i] = parameter(l, &own, &p->args[i]);
			refuse_vector(&p->args[i]);
		} else {
			p->said[i] = SAID_NOTHING;
			p->args[i].text = "it is optimised out";
		}
	}
	for (; i < p->n; i++)
		p->said[i] = SAID_NOTHING;
}

bool dwarf_parameters(struct dtx_env *env, const char *path, u64 addr, struct dwarf_params *p)
{
	struct look l = { .o = dwarf_open(env, path), .addr = addr };
	Dwarf_Die unit;

	if (!l.o || !dwarf_function_at(l.o, addr, &l.func) ||
	    !dwarf_diecu(&l.func, &unit, NULL, NULL))
		return false;
	l.exact = is_followed(&unit);
	p->is_rust = dwarf_srclang(&unit) == DW_LANG_Rust;
	l.follows = l.exact && (dwarf_is_llvm(&unit) || p->is_rust);
	p->may_move = l.exact && (dwarf_is_llvm(&unit) || (l.o->bits32 && !is_external(&l.func)));
	p->convention = dwarf_convention(&unit, &l.func);
	p->result_lack = dwarf_result_lack(&unit, &l.func);
	l.like_c = !p->convention;
	l.loose = dwarf_srclang(&unit) == DW_LANG_Pascal83;
	p->said = ARENA_ARRAY(env->arena, enum dwarf_said, p->n + 1);
	read_code(&l);
	read_base(&l);
	each_parameter(&l, p);
	return true;
}

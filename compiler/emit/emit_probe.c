/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_probe.c - finds out which probe fired, and loads its arguments (emit_loc.c has the places
 * where they lie).
 */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>
#include <dtx/stack.h>

#include "compiler/emit/emit-private.h"
#include "compiler/emit/loc.h"
#include "compiler/front/builtin.h"

/* ---- identity -------------------------------------------------------------------- */

static void set_probe(struct emit *e, val index)
{
	ll_store(e, index, emit_m(e, probe), 4);
}

/* A table from system call number to value; 0: not traced. */
static val dispatch_table(struct emit *e, bool groups)
{
	u32 *t = xcalloc(DTX_SYSCALL_MAX, sizeof(*t));
	val g;

	for (u32 i = 0; i < e->p.prog->ngroups; i++) {
		const struct prog_group *group = &e->p.prog->groups[i];

		for (u32 k = 0; k < group->nprobes; k++) {
			const struct dtx_probe *p = group->probes[k];

			if (p->place.num >= 0 && p->place.num < DTX_SYSCALL_MAX)
				t[p->place.num] = groups ? i : probe_index(e->c, p) + 1;
		}
	}
	g = ll_rodata(e, t, DTX_SYSCALL_MAX * sizeof(*t), groups ? "groups" : "probes");
	free(t);
	return g;
}

static val table_entry(struct emit *e, val table, val nr)
{
	return ll_load(e, ll_off_var(e, table, LLVMBuildShl(e->b, nr, ll_num(e, 2), "")), 4, false);
}

/*
 * Where the kernel tells that a system call is one of a 32-bit program.  A register, which the
 * tracepoint has at hand, takes no call for the task.
 */
static val compat_word(struct emit *e)
{
	static const char *const status[] = ARCH_COMPAT_MEMBER;
	static const struct dtx_arg mode = { .off = ARCH_COMPAT_REG, .size = 8 };

	return ARCH_COMPAT_REG >= 0 ? loc_ptregs(e, &mode, 8) : emit_task_num(e, status, false);
}

/*
 * The numbers of 32-bit calls mean other calls, with other probes: if a number matches, the flag
 * of the thread is checked.
 */
static void of_this_abi(struct emit *e, block quit)
{
	bool wants = e->p.prog->probes[0]->place.is_compat;
	block ours = ll_block(e, "abi"), fault = e->f.fault;
	val compat;

	e->f.fault = quit;                 /* no clause has begun that could fault */
	compat = LLVMBuildAnd(e->b, compat_word(e), ll_num(e, ARCH_COMPAT_BIT), "");
	e->f.fault = fault;
	ll_if(e, ll_bool(e, compat), wants ? ours : quit, wants ? quit : ours);
	ll_at(e, ours);
}

static val ident_dispatch(struct emit *e, block quit)
{
	static const struct dtx_arg number = {
		.off = ARCH_REG_SYSNR, .size = ARCH_SYSNR_BYTES,
	};
	bool ret = e->p.prog->probes[0]->place.is_syscall_return;
	val nr = ret ? loc_ptregs(e, &number, 8) : emit_ctx(e, 8, 8, false), index;
	block known = ll_block(e, "known"), ours = ll_block(e, "ours");

	if (e->p.prog->nprobes == 1) {
		nr = LLVMBuildTrunc(e->b, nr, e->i32, "");
		nr = LLVMBuildICmp(e->b, LLVMIntEQ, nr,
				   ll_num32(e, e->p.prog->probes[0]->place.num), "");
		ll_if(e, nr, known, quit);
		ll_at(e, known);
		LLVMDeleteBasicBlock(ours);
		of_this_abi(e, quit);
		set_probe(e, ll_num(e, probe_index(e->c, e->p.prog->probes[0])));
		return NULL;
	}
	nr = ll_call(e, "dtx_opaque", nr);
	ll_if(e, LLVMBuildICmp(e->b, LLVMIntULT, nr, ll_num(e, DTX_SYSCALL_MAX), ""), known, quit);
	ll_at(e, known);
	index = table_entry(e, dispatch_table(e, false), nr);
	ll_if(e, index, ours, quit);
	ll_at(e, ours);
	of_this_abi(e, quit);
	set_probe(e, LLVMBuildSub(e->b, index, ll_num(e, 1), ""));
	return e->p.prog->ngroups > 1 ? table_entry(e, dispatch_table(e, true), nr) : NULL;
}

/* ---- kprobe.session: entry and return in one program ---------------------------------- */

#define NO_PROBE 0xffffffffu     /* half of a cookie: runtime/provider/kernel/kattach.c */

/* Table probe → group. */
static val group_table(struct emit *e)
{
	u32 *t = xcalloc(e->c->nprobes, sizeof(*t));
	val g;

	for (u32 i = 0; i < e->p.prog->ngroups; i++)
		for (u32 k = 0; k < e->p.prog->groups[i].nprobes; k++)
			t[probe_index(e->c, e->p.prog->groups[i].probes[k])] = i;
	g = ll_rodata(e, t, e->c->nprobes * sizeof(*t), "groups");
	free(t);
	return g;
}

/* The cookie of a function is the probe of its entry, and above it that of its return. */
static val ident_session(struct emit *e, block quit)
{
	val cookie = ll_call(e, "dtx_cookie", ll_load_ptr(e, emit_m(e, ctx))), index;
	block known = ll_block(e, "known");

	index = ll_call(e, "dtx_session_return",
			ll_num(e, emit_koff(e, "task_struct", "bpf_ctx")),
			ll_num(e, emit_koff(e, "bpf_session_run_ctx", "is_return")));
	index = LLVMBuildLShr(e->b, cookie, LLVMBuildShl(e->b, index, ll_num(e, 5), ""), "");
	index = LLVMBuildAnd(e->b, index, ll_num(e, NO_PROBE), "");
	ll_if(e, LLVMBuildICmp(e->b, LLVMIntULT, index, ll_num(e, e->c->nprobes), ""), known, quit);
	ll_at(e, known);
	set_probe(e, index);
	if (e->p.prog->ngroups == 1)
		return NULL;
	return table_entry(e, group_table(e),
			   ll_call(e, "dtx_clamp", index, ll_num(e, e->c->nprobes - 1)));
}

/* The last call of an iterator has no object (its second word is NULL). */
static void not_at_end(struct emit *e, block quit)
{
	val object = emit_ctx(e, 8, 8, false);
	block some = ll_block(e, "object");

	ll_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, object, ll_num(e, 0), ""), quit, some);
	ll_at(e, some);
}

val emit_ident(struct emit *e, block quit)
{
	val index;

	if (kind_is(e->p.prog->kind, KIND_BOTH))
		return ident_session(e, quit);
	if (e->p.prog->ident == IDENT_DISPATCH)
		return ident_dispatch(e, quit);
	if (kind_is(e->p.prog->kind, KIND_WALK))
		not_at_end(e, quit);
	if (e->p.prog->nprobes == 1 && !e->p.prog->probes[0]->late)
		index = ll_num(e, probe_index(e->c, e->p.prog->probes[0]));
	else if (e->p.prog->ident == IDENT_COOKIE)
		index = ll_call(e, "dtx_cookie", ll_load_ptr(e, emit_m(e, ctx)));
	else
		index = ll_asm(e, "$0 = 0x6474785f70726f62 ll", "=r", NULL, 0);
	set_probe(e, index);
	return NULL;
}

/* ---- fields of the probe that fired -------------------------------------------------- */

static const char *probe_text(const struct emit *e, const struct dtx_probe *p,
			      const struct builtin *row)
{
	switch (builtin_id(row)) {
	case BI_probe: return arena_printf(e->c->arena, PROBE_NAME, PROBE_PARTS(p));
	case BI_probeprov: return p->prov;
	case BI_probemod: return p->mod;
	case BI_probefunc: return p->func;
	default: return p->name;
	}
}

/* The probes that can have fired the current clause. */
static u32 own_probes(const struct emit *e, struct dtx_probe ***probes)
{
	*probes = e->p.group->probes;
	return e->p.group->nprobes;
}

static bool same_text(const struct emit *e, struct dtx_probe **p, u32 n, const struct builtin *row)
{
	for (u32 i = 1; i < n; i++)
		if (strcmp(probe_text(e, p[i], row), probe_text(e, p[0], row)))
			return false;
	return true;
}

/* The index of the probe, with a check of its range for the verifier. */
static val bounded_index(struct emit *e)
{
	val i = ll_load(e, emit_m(e, probe), 4, false);

	return ll_call(e, "dtx_clamp", i, ll_num(e, e->c->nprobes - 1));
}

static val text_table(struct emit *e, const struct builtin *row, u32 stride)
{
	char name[32], *bytes;
	val g;

	snprintf(name, sizeof(name), "table_%s", row->name);
	g = LLVMGetNamedGlobal(e->mod, name);
	if (g)
		return g;
	bytes = xcalloc(e->c->nprobes, stride);
	for (u32 i = 0; i < e->c->nprobes; i++) {
		const char *t = probe_text(e, e->c->probes[i], row);

		memcpy(bytes + (size_t)i * stride, t, MIN(strlen(t), stride - 1));
	}
	g = ll_rodata(e, bytes, e->c->nprobes * stride, name);
	free(bytes);
	return g;
}

/* Bytes of a row of the table: the longest text with its NUL. */
static u32 text_stride(const struct emit *e, const struct builtin *row)
{
	u32 longest = 1;

	for (u32 i = 0; i < e->c->nprobes; i++)
		longest = MAX(longest, strlen(probe_text(e, e->c->probes[i], row)) + 1);
	return ALIGN_UP(MIN(longest, e->c->plan->strsize + 1), 8);
}

/* The same for a probe that is found at run time. */
static val late_field(struct emit *e, const struct builtin *row, u32 *cap)
{
	static const enum builtin_id order[] = {
		BI_probe, BI_probeprov, BI_probemod, BI_probefunc
	};
	u32 which = 0;

	while (which < ARRAY_SIZE(order) && !builtin_is(row, order[which]))
		which++;
	*cap = img_late_text(e->c->plan->strsize);
	return ll_call(e, "dtx_late_text", e->f.frame, ll_num(e, which),
		       ll_string(e, "", 0, DTX_LATE_TEXT));
}

/* Text of a field: zero-padded to *cap bytes, read-only. */
val emit_probe_field(struct emit *e, const struct builtin *row, u32 *cap)
{
	u32 stride = text_stride(e, row);
	struct dtx_probe **probes;
	u32 n = own_probes(e, &probes);
	val off;

	if (probes[0]->late)
		return late_field(e, row, cap);
	*cap = stride;
	if (same_text(e, probes, n, row)) {
		const char *t = probe_text(e, probes[0], row);

		return ll_string(e, t, strlen(t), stride);
	}
	off = LLVMBuildMul(e->b, bounded_index(e), ll_num(e, stride), "");
	return ll_off_var(e, text_table(e, row, stride), off);
}

val emit_probe_id(struct emit *e)
{
	struct dtx_probe **probes;
	val g;

	own_probes(e, &probes);
	if (probes[0]->late)
		return ll_call(e, "dtx_late_id", e->f.frame);
	if (own_probes(e, &probes) == 1)
		return ll_num(e, probes[0]->id);
	g = LLVMGetNamedGlobal(e->mod, "table_id");
	if (!g) {
		u32 *ids = xcalloc(e->c->nprobes, sizeof(*ids));

		for (u32 i = 0; i < e->c->nprobes; i++)
			ids[i] = e->c->probes[i]->id;
		g = ll_rodata(e, ids, e->c->nprobes * sizeof(*ids), "table_id");
		free(ids);
	}
	return table_entry(e, g, bounded_index(e));
}

/* A number of the program's probe that fired. */
static val number_of_probe(struct emit *e, u64 (*number)(struct emit *, const struct dtx_probe *),
			   const char *name)
{
	const struct prog *p = e->p.prog;
	u64 first = number(e, p->probes[0]), *t;
	bool same = true;
	val g;

	for (u32 i = 1; i < p->nprobes; i++)
		same &= number(e, p->probes[i]) == first;
	if (same)
		return ll_num(e, first);
	t = xcalloc(e->c->nprobes, sizeof(*t));
	for (u32 i = 0; i < p->nprobes; i++)
		t[probe_index(e->c, p->probes[i])] = number(e, p->probes[i]);
	g = ll_rodata(e, t, e->c->nprobes * sizeof(*t), name);
	free(t);
	return ll_load(e, ll_off_var(e, g, LLVMBuildShl(e->b, bounded_index(e), ll_num(e, 3), "")),
		       8, false);
}

static u64 entry_of(struct emit *e, const struct dtx_probe *p) { return p->place.entry; }
static u64 past_of(struct emit *e, const struct dtx_probe *p)  { return p->place.past; }

static u64 walk_of(struct emit *e, const struct dtx_probe *p)
{
	return kcaller_unseen(p) ? DTX_KWALK_ENTRY : 0;
}

static u64 traceiter_place(struct emit *e, const struct dtx_probe *p)
{
	return traceiter_of(e->c, p);
}

static u64 traceiter_bytes(struct emit *e, const struct dtx_probe *p)
{
	return traceiter_size(e->c, p);
}

val emit_probe_entry(struct emit *e)
{
	return number_of_probe(e, entry_of, "entries");
}

val emit_probe_past(struct emit *e)
{
	return number_of_probe(e, past_of, "pasts");
}

val emit_probe_walk(struct emit *e)
{
	return number_of_probe(e, walk_of, "walks");
}

val emit_probe_traceiter(struct emit *e, val *size)
{
	val place = number_of_probe(e, traceiter_place, "traceiters"), none, at;

	*size = number_of_probe(e, traceiter_bytes, "traceiter_sizes");
	if (LLVMIsAConstantInt(place))
		return LLVMConstIntGetZExtValue(place) ?
			emit_ksym(e, LLVMConstIntGetZExtValue(place) - 1) : place;
	none = LLVMBuildICmp(e->b, LLVMIntEQ, place, ll_num(e, 0), "");
	at = emit_ksym_at(e, LLVMBuildSub(e->b, place, ll_num(e, 1), ""));
	return LLVMBuildSelect(e->b, none, ll_num(e, 0), at, "");
}

/* ---- arguments -------------------------------------------------------------------------- */

/* All probes of a group have their arguments in the same places. */
const struct dtx_arg *emit_arg_of(struct emit *e, const struct node *n)
{
	const struct dtx_probe *p = e->p.group->probes[0];

	return n->value < p->args.n ? &p->args.v[n->value] : NULL;
}

val emit_arg_bytes(struct emit *e, const struct node *n)
{
	const struct dtx_arg *a = e->p.in_error || n->raw ? NULL : emit_arg_of(e, n);

	if (!a || a->loc != LOC_DATALOC)
		return NULL;
	return LLVMBuildLShr(e->b, emit_ctx(e, a->off, 4, false), ll_num(e, 16), "");
}

/* A number that each probe of the group has for itself. */
static val arg_own(struct emit *e, u32 n)
{
	const struct prog_group *group = e->p.group;
	s64 first = group->probes[0]->args.v[n].value;
	bool same = true;
	u64 *t;
	val g;

	for (u32 i = 1; i < group->nprobes; i++)
		same &= group->probes[i]->args.v[n].value == first;
	if (same)
		return ll_num(e, first);
	t = xcalloc(e->c->nprobes, sizeof(*t));
	for (u32 i = 0; i < group->nprobes; i++)
		t[probe_index(e->c, group->probes[i])] = group->probes[i]->args.v[n].value;
	g = ll_rodata(e, t, e->c->nprobes * sizeof(*t), "own");
	free(t);
	return ll_load(e, ll_off_var(e, g, LLVMBuildShl(e->b, bounded_index(e), ll_num(e, 3), "")),
		       8, false);
}

/* arg0 … of ERROR: abi.h and DTrace guide "dtrace Provider"; stored after the machine state. */
static val error_arg(struct emit *e, u32 index)
{
	u32 off = sizeof(struct dtx_mst) + 8 * index;

	return index < 6 ? ll_load(e, emit_mst(e, off), 8, false) : ll_num(e, 0);
}

/* An array or struct: at the address in the value, or the value itself in a register. */
struct place emit_arg_place(struct emit *e, const struct node *n)
{
	const struct dtx_arg *a = e->p.in_error ? NULL : emit_arg_of(e, n);
	struct place at = { n->lies, NULL, 0 };

	if (a && a->loc == LOC_STACK && type_is_struct(n->type)) {
		at.p = emit_ctx(e, ARCH_REG_SP, 8, false);
		at.off = a->off;
	} else if (a && a->loc == LOC_PLACE) {
		at.p = emit_steps(e, a, 0);
	} else if (a && a->loc == LOC_VALUE && a->size > 8) {
		at.p = emit_words(e, a);
	} else if (at.in == MEM_OWN) {
		at.p = ll_alloca(e, e->i64, "arg");
		LLVMBuildStore(e->b, emit_arg(e, n), at.p);
	} else {
		at.p = emit_arg(e, n);
	}
	return at;
}

/*
 * The place of a typed argument may be wider than its type: the kernel keeps each argument of a
 * system call in 8 bytes, with whatever the program left above an int.  The value is what the type
 * says: so many of the bytes, and its sign.
 */
static struct dtx_arg as_typed(const struct dtx_arg *a, const struct node *n)
{
	const struct type *t = type_base(n->type);
	struct dtx_arg own = *a;

	if (!n->raw && (t->kind == T_INT || t->kind == T_ENUM) && t->size <= a->size &&
	    emit_word_size(t->size)) {
		own.size = t->size;
		own.is_signed = t->is_signed;
	}
	return own;
}

val emit_arg(struct emit *e, const struct node *n)
{
	const struct dtx_arg *a;
	struct dtx_arg own;

	if (e->p.in_error)
		return error_arg(e, n->value);
	a = emit_arg_of(e, n);
	if (!a)
		return ll_num(e, 0);
	if (a->loc == LOC_CTX &&
	    (!emit_word_size(a->size) || type_base(n->type)->kind == T_ARRAY))
		return emit_inside(e, a);
	if (a->loc == LOC_OWN)
		return arg_own(e, n->value);
	own = as_typed(a, n);
	return emit_located(e, &own, emit_word_size(own.size) ? own.size : 8);
}

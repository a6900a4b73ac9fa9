/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usertail.c - results of functions that end by a jump to another function (a tail call), for the
 * providers uprobe and pid.
 *
 * At the jump there is no result yet: the other function returns it to the caller.  So the jump
 * leaves the call's place of the stack in the map dtx_waits, and the return fires at an end of the
 * other function if the stack pointer and the return address are the same.  A call that never
 * returns (longjmp(), an exception, exit()) stays in the map.  It must not be taken for a later
 * call of the other function, so the entry of that one is a place, too: who comes there by the jump
 * goes on to wait, who does not is another call, and what was kept is dropped (bpf/guard.bpf.c).
 *
 * The other function may end by a jump as well: its targets are followed.  All ends must be known,
 * and none may lead back to the first function: else the result stays unknown.
 * Why: docs/decisions/39-function-returns.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>
#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"

#define FUNCTIONS_MOST 16        /* that a jump leads to, one after the other */
#define TARGETS_MOST   12        /* of a jump: functions that an IFUNC can be */
#define PLACES_MOST    128       /* of a jump */
#define STUB_BYTES     16

struct target {
	const char *path;
	struct elfsym sym;
};

struct search {
	struct dtx_env *env;
	const struct user_function *f;
	u64 jump;                        /* dtx_guard.jump */
	struct user_tail *to;
	struct target seen[FUNCTIONS_MOST];
	u32 nseen;
	bool returns;                    /* an end was found */
};

struct targets {
	u64 slot;                        /* a word of the object that has the target; 0: none */
	struct target v[TARGETS_MOST];
	u32 n;
	bool first;                      /* the result is the first argument */
};

/* Functions of the C library that return their first argument (C17, 7.24 and 7.29). */
static bool returns_first(const char *name)
{
	static const char *const names[] = {
		"memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat",
		"wmemset", "wmemcpy", "wmemmove", "wcscpy", "wcsncpy", "wcscat", "wcsncat",
		"__memset_chk", "__memcpy_chk", "__memmove_chk", "__strcpy_chk", "__strncpy_chk",
		"__strcat_chk", "__strncat_chk",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* ---- where a jump leads ---------------------------------------------------------------------- */

static bool add_target(struct targets *t, const char *path, const struct elfsym *sym)
{
	if (!sym->size || sym->file_off == ~0ull || t->n == TARGETS_MOST)
		return false;
	t->v[t->n++] = (struct target){ path, *sym };
	return true;
}

/* The code at an address of an object; false: it is not known where it ends. */
static bool add_code(struct search *s, struct targets *t, const char *path, u64 addr)
{
	struct codefile *file = user_code(s->env, path);
	const struct elfsym *sym = elfsyms_at(codefile_symbols(file), addr);
	struct elfsym unnamed;

	if (sym && sym->addr == addr && sym->size)
		return add_target(t, path, sym);
	if (sym && addr - sym->addr < sym->size)
		return false;
	code_unnamed(file, addr, &unnamed);
	return add_target(t, path, &unnamed);
}

/* The functions that an IFUNC can be: one alone may also be code of the kernel (vDSO). */
static bool add_choices(struct search *s, struct targets *t, const char *path,
			const struct elfsym *chooser)
{
	struct codefile *file = user_code(s->env, path);
	u64 addrs[TARGETS_MOST];
	u32 n = code_taken(file, chooser, addrs, TARGETS_MOST);
	bool ok = n > 1 && n < TARGETS_MOST;

	for (u32 i = 0; i < n && ok; i++)
		ok = add_code(s, t, path, addrs[i]);
	return ok;
}

static bool is_first_of(struct elfsyms *syms, u64 addr)
{
	const struct elfsym *sym = elfsyms_at(syms, addr);

	return sym && sym->addr == addr && returns_first(sym->name);
}

struct lookup {
	struct search *s;
	struct targets *t;
	const char *name;
	bool ok;
};

/* Whoever has the name may be it: those that no call comes to do no harm. */
static int look_up(struct lookup *l, const char *path)
{
	struct elfsyms *syms = user_symbols(l->s->env, path);
	const struct elfsym *sym = syms ? elfsyms_by_name(syms, l->name) : NULL;

	if (!sym)
		return 0;
	for (u32 i = 0; i < l->t->n; i++)
		if (l->t->v[i].sym.addr == sym->addr && !strcmp(l->t->v[i].path, path))
			return 0;
	l->ok = sym->is_ifunc ? add_choices(l->s, l->t, path, sym) : add_target(l->t, path, sym);
	return !l->ok;
}

static int look_up_object(void *arg, s32 pid, const struct proc_object *o)
{
	return look_up(arg, o->path);
}

static bool add_named(struct search *s, struct targets *t, const char *path, const char *name)
{
	struct lookup l = { .s = s, .t = t, .name = name, .ok = true };
	const char **needed;

	if (returns_first(name)) {
		t->first = true;
		return true;
	}
	look_up(&l, path);
	if (!l.ok || s->f->where->pid <= 0)      /* a library is that of all processes */
		return l.ok && t->n;
	process_objects(s->env, s->f->where->pid, look_up_object, &l);
	needed = elf_needed(user_code(s->env, path), s->env->arena);
	for (; *needed && l.ok && !t->n; needed++) {
		const char *lib = sym_library(s->env->arena, *needed);

		if (lib)
			look_up(&l, lib);
	}
	return l.ok && t->n;
}

static bool add_slot(struct search *s, struct targets *t, const char *path, u64 slot)
{
	struct codefile *file = user_code(s->env, path);
	const struct elfsym *chooser;
	const struct plt_target *at;

	at = keytab_get(codefile_slots(file), &slot);
	t->slot = slot;
	if (!at || *at->name)
		return at && add_named(s, t, path, at->name);
	t->first = is_first_of(codefile_symbols(file), at->chooser);
	chooser = elfsyms_at(codefile_symbols(file), at->chooser);
	return t->first || (chooser && chooser->is_ifunc && add_choices(s, t, path, chooser));
}

static bool targets_of(struct search *s, struct targets *t, const char *path,
		       const struct code_place *jump)
{
	struct codefile *file = user_code(s->env, path);
	u8 stub[STUB_BYTES];
	u64 slot, off;

	if (jump->slot)
		return add_slot(s, t, path, jump->slot);
	off = jump->to ? elfsyms_file_off(codefile_symbols(file), jump->to) : ~0ull;
	if (off == ~0ull)
		return false;
	if (codefile_read(file, stub, sizeof(stub), off) == sizeof(stub) &&
	    arch_plt_slot(stub, sizeof(stub), jump->to, &slot))
		return add_slot(s, t, path, slot);
	return add_code(s, t, path, jump->to);
}

/* ---- all that follows it --------------------------------------------------------------------- */

static u8 condition(const struct code_place *at)
{
	return at->guarded && !at->guard.indirect ? at->guard.cond : DTX_GUARD_ALWAYS;
}

static struct dtx_guard tail_guard(const struct search *s, enum dtx_guard_what what)
{
	return (struct dtx_guard){ .what = what, .cond = DTX_GUARD_ALWAYS, .reg = -1, .index = -1,
				   .jump = s->jump };
}

static struct dtx_guard jump_guard(const struct search *s, enum dtx_guard_what what,
				   const struct code_place *jump, u64 slot)
{
	struct dtx_guard g = tail_guard(s, what);

	g.cond = condition(jump);
	g.slot = slot ? (s64)(slot - jump->addr) : 0;
	return g;
}

static bool add_tail_place(struct search *s, const char *path, u64 off, const struct dtx_guard *g)
{
	struct user_tail_place p = { path, off, *g };

	if (s->to->n == PLACES_MOST)
		return false;
	ARENA_PUSH(s->env->arena, s->to->v, s->to->n, p);
	return true;
}

static bool is_seen(const struct search *s, const struct target *t)
{
	for (u32 i = 0; i < s->nseen; i++)
		if (s->seen[i].sym.addr == t->sym.addr && !strcmp(s->seen[i].path, t->path))
			return true;
	return false;
}

static bool follow_call(struct search *s, const struct target *t);

static bool follow_jump(struct search *s, const char *path, const struct code_place *jump)
{
	struct targets t = { .n = 0 };
	bool ok = targets_of(s, &t, path, jump) && !t.first;
	struct dtx_guard g = jump_guard(s, DTX_GUARD_PASS, jump, t.slot);

	for (u32 i = 0; i < t.n && ok; i++)
		ok = follow_call(s, &t.v[i]);
	return ok && add_tail_place(s, path, jump->off, &g);
}

/* A jump by a table that leaves the function leads where no place is: the return fires there,
 * without a result. */
static bool add_table(struct search *s, const char *path, const struct code_place *jump)
{
	struct dtx_guard g = jump->guard;

	g.what = DTX_GUARD_STRAY;
	g.jump = s->jump;
	return add_tail_place(s, path, jump->off, &g);
}

static bool add_end(struct search *s, const char *path, const struct code_place *at)
{
	struct dtx_guard g = tail_guard(s, DTX_GUARD_END);

	if (at->is_jump && at->guarded && at->guard.indirect)
		return (at->slot && follow_jump(s, path, at)) || add_table(s, path, at);
	if (at->is_jump)
		return follow_jump(s, path, at);
	s->returns = true;
	return add_tail_place(s, path, at->off, &g);
}

static bool add_ways(struct search *s, const struct target *t, const struct code_ways *ways)
{
	struct dtx_guard g = tail_guard(s, DTX_GUARD_ARRIVE);
	bool ok = !ways->why && add_tail_place(s, t->path, t->sym.file_off, &g);

	for (u32 i = 0; i < ways->turns.n && ok; i++) {
		const struct code_place *turn = &ways->turns.v[i];

		g = tail_guard(s, DTX_GUARD_PASS);
		g.cond = turn->guard.cond;
		ok = turn->probed && !turn->unclear && add_tail_place(s, t->path, turn->off, &g);
	}
	for (u32 i = 0; i < ways->ends.n && ok; i++)
		ok = add_end(s, t->path, &ways->ends.v[i]);
	return ok;
}

/* A function in which the call goes on. */
static bool follow_call(struct search *s, const struct target *t)
{
	struct codefile *file = user_code(s->env, t->path);
	struct code_ways ways = { .why = NULL };
	bool ok;

	if (is_seen(s, t))
		return true;
	if (s->nseen == FUNCTIONS_MOST || !insn_probed(file, t->sym.file_off, t->sym.size, 0) ||
	    (t->sym.file_off == s->f->sym->file_off && !strcmp(t->path, s->f->where->path)))
		return false;
	s->seen[s->nseen++] = *t;
	code_walk(file, &t->sym, &ways);
	ok = add_ways(s, t, &ways);
	code_ways_free(&ways);
	return ok;
}

void user_tail_find(struct dtx_env *env, const struct user_function *f,
		    const struct code_place *jump, u64 number, struct user_tail *to)
{
	struct search s = { .env = env, .f = f, .jump = number, .to = to };
	struct targets t = { .n = 0 };
	bool ok = targets_of(&s, &t, f->where->path, jump);

	*to = (struct user_tail){ .is_first = ok && t.first };
	for (u32 i = 0; i < t.n && ok; i++)
		ok = follow_call(&s, &t.v[i]);
	to->is_known = ok && s.returns;
	to->guard = jump_guard(&s, DTX_GUARD_WAIT, jump, t.slot);
}

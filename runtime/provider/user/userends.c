/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userends.c - entry and return of functions of programs, for the providers uprobe and pid.
 *
 * The kernel's return probe puts an address of its own on the stack.  A program that unwinds its
 * stack, jumps out of functions or changes between stacks finds that address, and ends or computes
 * something else.  Therefore `return` is a probe at each instruction that returns, and at each jump
 * that leaves the function (codewalk.c).  Several places are one probe (place.site).
 *
 * Where a loop begins at the entry, its jumps are places of the probe `entry`, too: they tell the
 * program that what follows is no call (bpf/guard.bpf.c).
 * Why: docs/decisions/39-function-returns.md
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/tag.h>
#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"

#define WHY_FIRST "the kernel cannot set a probe on its first instruction"

#define WHY_ENTERED "another function jumps into the middle of it, and what returns there may be " \
		    "either"

#define KERNEL_RETURNS "returns are taken by the kernel's return probe (option ureturn=kernel): " \
		       "it changes return addresses on the stack.  Programs that throw " \
		       "exceptions, jump out of functions or change between stacks may end by " \
		       "it or compute something else, and returns more than 64 calls deep are " \
		       "not seen"

int user_leave_out(struct user_left_out *left, const char *name, const char *why)
{
	u32 i = 0;

	while (i < left->n && strcmp(left->v[i].why, why))
		i++;
	if (i == left->n) {
		left->v = xrealloc(left->v, ++left->n * sizeof(left->v[0]));
		left->v[i] = (struct left_reason){ .why = why };
	}
	few_add(&left->v[i].names, name);
	return 0;
}

void user_tell_left_out(struct dtx_env *env, const struct user_where *w, struct user_left_out *left)
{
	static const struct range nowhere;

	for (u32 i = 0; i < left->n; i++) {
		struct few_names *names = &left->v[i].names;

		if (!env->listing)
			diag_warn(&env->diags, DIAG_NONE, nowhere, "not probed in %s: %s: %s",
				  w->mod, few_text(names, env->names_all),
				  left->v[i].why);
		few_free(names);
	}
	free(left->v);
	*left = (struct user_left_out){ 0 };
}

/* The C library's functions that allocate throw no exceptions and change no stacks; what interrupts
 * them and jumps away only drops their frames. */
static bool is_allocator(const char *name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "reallocarray", "valloc", "memalign",
		"aligned_alloc", "posix_memalign",
	};

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void warn_of_kernel(struct dtx_env *env, const struct user_function *f)
{
	static const struct range nowhere;
	bool *told = &user_ends_cache(env)->told;

	if (is_allocator(f->sym->name))
		return;
	if (!*told && !env->listing)
		diag_warn(&env->diags, DIAG_NONE, nowhere, KERNEL_RETURNS);
	*told = true;
}

/* One place of a probe. */
static struct dtx_probe *place(struct dtx_env *env, const struct user_function *f,
			       const char *name, const struct code_place *at, s64 num)
{
	struct dtx_probe *p = user_probe(env, f->where, f->key, name, at->off, false);

	p->func = plain_name(prov_arena(env), f->shown);
	p->place.sym = arena_strdup(prov_arena(env), f->sym->name);
	p->place.num = num;
	p->place.begin = f->sym->file_off;
	if (at->guarded) {
		struct dtx_guard *g = ARENA_NEW(prov_arena(env), struct dtx_guard);

		*g = at->guard;
		p->place.guard = g;
	}
	return p;
}

static int kernel_return(struct dtx_env *env, const struct user_function *f, dtx_probe_fn *each,
			 void *arg)
{
	struct dtx_probe *p = user_probe(env, f->where, f->key, "return", f->sym->file_off, true);

	warn_of_kernel(env, f);
	p->func = plain_name(prov_arena(env), f->shown);
	p->place.sym = arena_strdup(prov_arena(env), f->sym->name);
	return each(arg, p);
}

static int refuse(struct dtx_env *env, const struct user_function *f, const char *what,
		  const char *why)
{
	return dtx_env_refuse(env, D_PROC_NAME, "%s of '%s' cannot be probed: %s", what, f->shown,
			      why);
}

/* The places where the jump at `from` returns. */
static int list_tail(struct dtx_env *env, struct user_function *f, const struct dtx_probe *from,
		     const struct user_tail *tail, dtx_probe_fn *each, void *arg)
{
	struct user_tail_from *own = ARENA_NEW(prov_arena(env), struct user_tail_from);
	int err = 0;

	*own = (struct user_tail_from){ f->where->path, from->place.off };
	for (u32 i = 0; i < tail->n && !err; i++) {
		struct code_place at = { .off = tail->v[i].off, .guarded = true,
					 .guard = tail->v[i].guard };
		struct dtx_probe *p = place(env, f, "return", &at, at.guard.what ==
					    DTX_GUARD_STRAY ? USER_STRAY : USER_TAIL);

		p->place.target = tail->v[i].path;
		p->own = own;
		p->place.for_result = true;
		p->place.site = f->site++;
		err = each(arg, p);
	}
	return err;
}

/* A jump out of the function.  If clauses use the result, its return is elsewhere. */
static int list_jump(struct dtx_env *env, struct user_function *f, const struct code_place *at,
		     struct dtx_probe *p, dtx_probe_fn *each, void *arg)
{
	struct dtx_guard *waits;
	struct user_tail tail;
	int err;

	user_tail_find(env, f, at, (u64)p->id << 16 | p->place.site, &tail);
	if (tail.is_first)
		p->place.num = USER_LEAVE_FIRST;
	if (!tail.is_known)
		return each(arg, p);
	waits = ARENA_NEW(prov_arena(env), struct dtx_guard);
	*waits = tail.guard;
	p->place.waits = waits;
	err = each(arg, p);
	return err ? err : list_tail(env, f, p, &tail, each, arg);
}

/* Returns of code into which others jump are theirs, too. */
static const char *shared_by(struct dtx_env *env, const struct user_function *f)
{
	const char *other = code_entered(f->file, f->sym);

	return !other ? NULL : !f->alone ? WHY_ENTERED :
	       arena_printf(env->arena, WHY_ENTERED " (%s)", other);
}

int user_list_return(struct dtx_env *env, struct user_function *f,
		     struct user_left_out *left, dtx_probe_fn *each, void *arg)
{
	bool go = user_is_go(env, f->where->path, f->sym->name);
	struct user_ends_cache *c;
	int err = 0;

	if (user_by_kernel(env) && !go)
		return kernel_return(env, f, each, arg);
	c = user_ends_cache(env);
	code_walk(f->file, f->sym, &c->ways);
	if (!c->ways.why && !go)
		c->ways.why = shared_by(env, f);
	if (c->ways.why && f->alone)
		return refuse(env, f, "the return", arena_printf(env->arena, "%s.  The option "
			      "ureturn=kernel takes it in another way, which can harm the program",
			      c->ways.why));
	if (c->ways.why)
		return user_leave_out(left, arena_printf(env->arena, "%s:return", f->shown),
				 c->ways.why);
	if (!c->ways.ends.n && f->alone)
		return refuse(env, f, "the return", "it has no instruction that returns");
	for (u32 i = 0; i < c->ways.ends.n && !err; i++) {
		const struct code_place *at = &c->ways.ends.v[i];
		struct dtx_probe *p = place(env, f, "return", at, at->is_jump ? USER_LEAVE : go ?
					    USER_GO_RETURN : USER_RETURN);

		p->place.site = f->site++;
		err = at->is_jump && env->results_used && !go ?
		      list_jump(env, f, at, p, each, arg) : each(arg, p);
	}
	return err;
}

void user_leave_entry_out(struct dtx_env *env, const struct user_function *f,
			  struct user_left_out *left)
{
	user_leave_out(left, arena_printf(env->arena, "%s:entry", f->shown), WHY_FIRST);
}

/* The jumps that go back to the entry can be seen, or the entry has another place. */
static const char *cannot_tell(const struct code_ways *ways)
{
	for (u32 i = 0; i < ways->turns.n; i++) {
		if (ways->turns.v[i].unclear)
			return "a loop begins at its first instruction, and the condition of the "
			       "jump back cannot be computed, so its turns cannot be told from "
			       "calls";
		if (!ways->turns.v[i].probed)
			return "a loop begins at its first instruction, and the kernel cannot set "
			       "a probe on the jump back, so its turns cannot be told from calls";
	}
	return NULL;
}

int user_list_entry(struct dtx_env *env, struct user_function *f,
		    struct user_left_out *left, dtx_probe_fn *each, void *arg)
{
	bool go = user_is_go(env, f->where->path, f->sym->name);
	struct code_place at = { .off = f->sym->file_off };
	s64 num = user_is_changed(f->sym->name) ? USER_CLONE : USER_FUNCTION;
	struct user_ends_cache *c = user_ends_cache(env);
	struct user_past past = { 0 };
	struct dtx_probe *p;
	const char *why;
	int err;

	if (!go)
		past = user_past_wanted(env, f);
	code_turns(f->file, f->sym, go, past.bytes, &c->ways);
	why = cannot_tell(&c->ways);
	if (why && !c->ways.after_check)
		return f->alone ? refuse(env, f, "the entry", why) :
		       user_leave_out(left, arena_printf(env->arena, "%s:entry", f->shown), why);
	if (c->ways.after_check)
		at.off = c->ways.after_check, c->ways.turns.n = 0;
	if (c->ways.turns.n) {
		at.guarded = true;
		at.guard = (struct dtx_guard){ .what = DTX_GUARD_CALL };
	}
	p = place(env, f, "entry", &at, num);
	p->place.site = f->site++;
	if (past.bytes && !c->ways.joins && user_past_allowed(env, f, &past))
		p->place.past = past.bytes;
	err = each(arg, p);
	for (u32 i = 0; i < c->ways.turns.n && !err; i++) {
		p = place(env, f, "entry", &c->ways.turns.v[i], num);
		p->place.site = f->site++;
		err = each(arg, p);
	}
	return err;
}

/* ---- functions that are chosen when a program starts ----------------------------------------- */

#define CHOICES_MOST 32

#define WHY_CHOSEN "which function it is is chosen when a program starts (IFUNC), by code that " \
		   "does not show the choices"

/* What stands for an IFUNC: the code whose addresses its resolver has. */
struct choices {
	struct elfsym v[CHOICES_MOST];
	u32 n;
};

static void choices_of(struct dtx_env *env, const struct user_function *f, struct choices *c)
{
	struct codefile *file = user_code(env, f->where->path);
	u64 addrs[CHOICES_MOST];

	c->n = code_taken(file, f->sym, addrs, CHOICES_MOST);
	for (u32 i = 0; i < c->n; i++) {
		const struct elfsym *sym = elfsyms_at(codefile_symbols(file), addrs[i]);

		if (sym && sym->addr == addrs[i] && sym->size)
			c->v[i] = *sym;
		else
			code_unnamed(file, addrs[i], &c->v[i]);
	}
}

static bool starts_probed(struct dtx_env *env, const struct user_function *f,
			  const struct elfsym *sym)
{
	return insn_probed(user_code(env, f->where->path), sym->file_off, sym->size, 0);
}

static void tell_choices(struct dtx_env *env, const struct user_function *f, const char *names)
{
	static const struct range nowhere;

	if (env->listing || !f->alone || map_get(user_ends_cache(env)->chosen, f->shown))
		return;
	map_set(user_ends_cache(env)->chosen, f->shown, env);
	diag_remark(&env->diags, nowhere, "%s of %s is chosen when a program starts (IFUNC); "
		    "probed is each function that it can be: %s%s", f->shown,
		    f->where->mod, names, strchr(names, ',') ? "" :
		    "; it can also be code of the kernel (vDSO), where no probe can be");
}

static const char *choice_name(struct dtx_env *env, const struct elfsym *sym)
{
	return strcmp(sym->name, "-") ? sym->name :
	       arena_printf(env->arena, "0x%llx", (unsigned long long)sym->addr);
}

int user_list_ifunc(struct dtx_env *env, const struct user_function *f, bool entry,
		    struct user_left_out *left, dtx_probe_fn *each, void *arg)
{
	struct user_function one = *f;
	struct buf names = { 0 };
	struct choices c;
	int err = 0;

	choices_of(env, f, &c);
	if (!c.n && f->alone)
		return refuse(env, f, entry ? "the entry" : "the return", WHY_CHOSEN);
	if (!c.n)
		return user_leave_out(left, f->shown, WHY_CHOSEN);
	one.alone = false;
	for (u32 i = 0; i < c.n && !err; i++) {
		one.sym = &c.v[i];
		if (f->skips && f->skips(f->skips_arg, &c.v[i]))
			continue;
		one.shown = f->shown;
		if (entry && !starts_probed(env, f, &c.v[i])) {
			user_leave_out(left, arena_printf(env->arena, "%s as %s", f->shown,
				  choice_name(env, &c.v[i])), WHY_FIRST);
			continue;
		}
		buf_printf(&names, "%s%s", names.len ? ", " : "", choice_name(env, &c.v[i]));
		err = entry ? user_list_entry(env, &one, left, each, arg) :
		      user_list_return(env, &one, left, each, arg);
	}
	if (names.len)
		tell_choices(env, f, names.data);
	else if (f->alone && !err)
		err = refuse(env, f, entry ? "the entry" : "the return",
			     "it is chosen when a program starts (IFUNC), and none of the "
			     "functions that it can be can be probed");
	buf_free(&names);
	return err;
}

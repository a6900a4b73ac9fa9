/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userline.c - lines of the source of programs and libraries, for the providers uprobe and pid:
 *
 *     uprobe:/opt/bin/x:shop.c:42      pid123:x:buy:shop.c@42      pid$target:x:shop.c@42
 *
 * See line.c.
 */
#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/arch.h>
#include <dtx/env.h>
#include <dtx/abi.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/provider/provider.h"

/* ---- listing ---------------------------------------------------------------------------- */

static struct dtx_probe *make(struct dtx_env *env, const struct line_maker *m,
			      const struct dwarf_site *s, const char *name)
{
	u64 off = elfsyms_file_off(user_symbols(env, m->object), s->addr);
	struct dtx_probe *p = off == ~0ull ? NULL :
			      user_probe(env, m->priv, s->func, name, off, false);

	if (p)
		p->place.num = USER_LINE;
	return p;
}

int user_list_inlined(struct dtx_env *env, const struct dtx_pattern *pat,
		      const struct user_where *w, dtx_probe_fn *each, void *arg, bool *found)
{
	const struct line_maker m = { make, w->path, w, each, arg };
	struct dwarf_site *sites;
	u32 n = dwarf_copies(env, w->path, pat->func, &sites);

	*found |= n > 0;
	return line_list(env, &m, sites, n, "entry");
}

/* With the option inlined: the function and its copies are one probe. */
int user_list_copies(struct dtx_env *env, const struct user_where *w, const struct elfsym *sym,
		     dtx_probe_fn *each, void *arg, bool *found)
{
	const struct line_maker m = { make, w->path, w, each, arg };
	struct dwarf_site *sites;
	u32 n = opt_num(env, OPT_inlined) ? dwarf_copies_of(env, w->path, sym->addr, &sites) : 0;

	*found |= n > 0;
	return n ? line_list(env, &m, sites, n, "entry") : 0;
}

struct split { const char *func, *part; };

static int is_part_of(void *arg, const struct elfsym *sym)
{
	const char *at = strstr(sym->name, ".part.");
	struct buf readable = { 0 };
	struct split *s = arg;

	if (!at)
		return 0;
	if (!strncmp(s->func, sym->name, (size_t)(at - sym->name)) && !s->func[at - sym->name])
		s->part = sym->name;
	else if (sym_function(sym->name, &readable) && !strcmp(readable.data, s->func))
		s->part = sym->name;
	buf_free(&readable);
	return s->part != NULL;
}

/* gcc has made a function of what comes later in this one, to inline what comes first: the name
 * of that function, or NULL. */
static const char *later_part(struct elfsyms *syms, const char *func)
{
	struct split s = { func, NULL };

	elfsyms_each(syms, is_part_of, &s);
	return s.part;
}

/* Of a function that is inlined, or may be where debugging information does not say so. */
static const char *split_remark(struct dtx_env *env, struct elfsyms *syms,
				const struct dtx_probe *p)
{
	bool is_place = p->place.num == USER_LINE;
	const char *part = is_place || !dwarf_has(env, p->place.target) ?
			   later_part(syms, p->func) : NULL;

	return part ? arena_printf(env->arena, "gcc has moved what comes later in '%s' into '%s', "
				   "and inlined what comes first: calls that %s do not fire this "
				   "probe", p->func, part,
				   is_place ? "end before that part" : "it inlined") : NULL;
}

static const char *joined_remark(struct dtx_env *env, u64 addr, const struct dtx_probe *p)
{
	const char *other = dwarf_joined(env, p->place.target, addr, p->place.sym);
	struct buf text = { 0 };

	if (!other)
		return NULL;
	sym_demangle(other, &text);
	other = strcmp(text.data, p->func) ? arena_strdup(env->arena, text.data) : other;
	buf_free(&text);
	return arena_printf(env->arena, "'%s' and '%s' are one code here (the linker or the "
			    "compiler has joined them): calls of both fire this probe", p->func,
			    other);
}

const char *user_remark(struct dtx_env *env, const struct dtx_pattern *pat,
			const struct dtx_probe *p)
{
	bool returns = !strcmp(p->name, "return"), skip = p->late ||
		       !(returns || !strcmp(p->name, "entry")) || glob_is_pattern(pat->func);
	struct elfsyms *syms = skip ? NULL : user_symbols(env, p->place.target);
	u64 addr = syms ? elfsyms_vaddr(syms, user_begin(p)) : 0;
	const char *joined = syms ? joined_remark(env, addr, p) : NULL;
	struct dwarf_site *sites;
	u32 n = 0;

	if (joined)
		return joined;
	if (syms && (returns || !p->place.num))
		n = dwarf_copies_of(env, p->place.target, addr, &sites);
	if (n < 2)
		return syms ? split_remark(env, syms, p) : NULL;
	return arena_printf(env->arena, "'%s' is also inlined, at %u place%s%s", p->func, n - 1,
			    n == 2 ? "" : "s", returns ? ", where it has no return to probe" :
			    ", where its calls do not fire this probe; -x inlined probes these "
			    "places, too");
}

int user_list_lines(struct dtx_env *env, const struct dtx_pattern *pat, const struct user_where *w,
		    dtx_probe_fn *each, void *arg)
{
	const struct line_maker m = { make, w->path, w, each, arg };
	struct dwarf_lines_of want;
	struct dwarf_site *sites;
	u32 n;

	if (!line_wanted(env, pat, w->path, &want))
		return 0;
	n = dwarf_lines(env, w->path, &want, &sites);
	return line_list(env, &m, sites, n, NULL);
}

const char *user_line_advise(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	bool has = dwarf_has(env, path);
	const char *lack = dwarf_lack(env, path);

	if (lack)
		return arena_printf(env->arena, "debugging information of %s: %s", path, lack);
	if (!has)
		return arena_printf(env->arena,
				    "%s has no debugging information, so its lines are not known: "
				    "compile it with -g, or install its debug package", path);
	return line_advise(env, pat, path, path);
}

/* ---- arguments ------------------------------------------------------------------------------ */

void user_line_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct elfsyms *syms = user_symbols(env, p->place.target);

	if (p->args.state == ARGS_RAW || !syms)
		p->args.untyped = true;
	else if (p->place.num == USER_LINE && p->own)
		line_args(env, p);
	else
		line_args_at(env, p, p->place.target, elfsyms_vaddr(syms, p->place.off));
}

/* Names of globals have the same numbers for all functions: a clause may be on many of them. */
static u32 global_number(struct dtx_env *env, const char *name)
{
	struct map *numbers = user_globals(env);
	uintptr_t n = (uintptr_t)map_get(numbers, name);

	if (!n) {
		n = map_count(numbers) + 1;
		map_set(numbers, name, (void *)n);
	}
	return (u32)n - 1;
}

bool user_named(struct dtx_env *env, struct dtx_probe *p, const char *name)
{
	bool returns = kind_is_user(p->prog.kind, true);
	const struct user_tail_from *tail = user_tail_of(p);
	bool away = tail && strcmp(tail->path, p->place.target); /* globals are near the code */
	struct elfsyms *syms = returns || away || p->args.state == ARGS_RAW ?
			       NULL : user_symbols(env, p->place.target);
	struct dtx_arg global, *to;
	u32 at, n = p->args.n;
	u64 value;

	if (!syms || !elfsyms_value(syms, name, &value) ||
	    !dwarf_global(env, p->place.target, elfsyms_vaddr(syms, p->place.off), name, &global))
		return false;
	at = p->place.num == USER_INSIDE || p->place.num == USER_LINE ? n :
	     DTX_MAX_ARGS + global_number(env, name);
	to = ARENA_ARRAY(env->arena, struct dtx_arg, MAX(n, at + 1));
	if (n)
		memcpy(to, p->args.v, n * sizeof(*to));
	to[at] = global;
	p->args.v = to;
	p->args.n = MAX(n, at + 1);
	p->args.untyped = false;
	user_past_args(p, arch_past_keeps);      /* its address may count from there */
	return true;
}

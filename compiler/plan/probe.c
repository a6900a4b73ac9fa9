/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe.c - matches probe descriptions: turns clauses into instances.
 *
 * A clause with one description is an instance (struct inst).  Each probe is in
 * comp->probes once, even if several descriptions match it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "compiler/front/builtin.h"
#include "compiler/plan/plan.h"

struct match {
	struct comp *c;
	VEC(struct dtx_probe *) found;
};

/* Id and site identify a probe; two listings may return two structs for one probe. */
struct dtx_probe *probe_known(struct comp *c, struct dtx_probe *p)
{
	const u32 key[] = { p->id, p->place.site };
	u32 *number = keytab_put(c->probe_ids, key);

	if (*number)
		return c->probes[*number - 1];
	p->place.no_filter |= list_has(opt_text(c->env, OPT_unfiltered), p->name) ||
			      list_has(opt_text(c->env, OPT_unfiltered), p->func);
	ARENA_PUSH(c->arena, c->probes, c->nprobes, p);
	*number = c->nprobes;
	return p;
}

u32 probe_index(struct comp *c, const struct dtx_probe *p)
{
	const u32 key[] = { p->id, p->place.site };

	const u32 *number = keytab_get(c->probe_ids, key);

	return number ? *number - 1 : ~0u;
}

static int probe_found(void *arg, struct dtx_probe *p)
{
	struct match *m = arg;

	VEC_PUSH(&m->found, probe_known(m->c, p));
	return 0;
}

/* ---- listing ------------------------------------------------------------------------------ */

static void probe_note(struct comp *c, const struct pdesc *desc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_remark(&c->env->diags, desc->at, "%s", arena_vprintf(c->env->arena, fmt, ap));
	va_end(ap);
}

/* A stable probe found by a description that also names the function it has on Solaris. */
static void probe_unplaced(struct comp *c, const struct pdesc *desc)
{
	const struct dtx_probe *p = desc->probes[0];
	const char *more = !p->stable && p->provider->remark ?
			   p->provider->remark(c->env, &desc->pat, p) : NULL;

	if (!more && !glob_is_pattern(desc->pat.name))
		more = provider_partly(c->env, p);
	if (more)
		probe_note(c, desc, "%s", more);
	if (p->stable && !*p->func && !glob_matches(desc->pat.func, ""))
		probe_note(
			c, desc,
			"'%s' stands for %s:::%s: probes of this provider have no function on "
			"Linux",
			desc->text, p->prov, desc->pat.name);
}

/* With -Z: probes of modules that are loaded later are not attached, unlike in DTrace. */
static void probe_module(struct comp *c, const struct pdesc *desc)
{
	static const char *const providers[] = { "fbt", "rawfbt", "tracepoint", "sdt", "rawtp" };
	const char *mod = desc->pat.mod;
	bool kernel = false;

	for (u32 i = 0; i < ARRAY_SIZE(providers); i++)
		kernel |= !strcmp(desc->pat.prov, providers[i]);
	if (!kernel || !strcmp(mod, "vmlinux"))
		return;
	if (!*mod || glob_is_pattern(mod)) {
		probe_note(c, desc, "'%s' matches nothing now: probes of modules that are loaded "
			   "later are not attached", desc->text);
		return;
	}
	if (!machine_access(c->env, arena_printf(c->arena, "/sys/module/%s", mod), F_OK))
		return;
	probe_note(c, desc,
		   "'%s' matches nothing, and no module %s is loaded: if it is loaded later, its "
		   "probes are not attached", desc->text, mod);
}

/* With -Z: the placeholder for probes that start later. */
static void probe_later(struct match *m, const struct pdesc *desc)
{
	if (!opt_num(m->c->env, OPT_zdefs))
		return;
	for (u32 i = 0; dtx_providers[i]; i++) {
		const struct dtx_provider *prov = dtx_providers[i];
		struct dtx_probe *p = prov->late ? prov->late(m->c->env, &desc->pat) : NULL;

		if (p)
			probe_found(m, p);
		m->c->img->late |= p != NULL;
	}
}

static bool probe_list(struct comp *c, struct pdesc *desc)
{
	struct match m = { .c = c };
	int err;

	desc->pat.many = glob_is_pattern(desc->pat.func);
	err = provider_list(c->env, &desc->pat, probe_found, &m);
	if (!err)
		probe_later(&m, desc);
	desc->nprobes = m.found.n;
	desc->probes = ARENA_ARRAY(c->arena, struct dtx_probe *, m.found.n);
	if (m.found.n)
		memcpy(desc->probes, m.found.v, m.found.n * sizeof(*m.found.v));
	VEC_FREE(&m.found);
	if (err < 0) {
		/* With -Z a description may match nothing. */
		u32 tag = c->env->diags.failure.tag;
		const char *why = diags_take(&c->env->diags, "the probes cannot be listed");

		if (tag && opt_num(c->env, OPT_zdefs))
			return true;
		ERR(c, tag, desc->at, "%s", why);
		return false;
	}
	if (desc->nprobes)
		probe_unplaced(c, desc);
	if (desc->nprobes)
		return true;
	if (opt_num(c->env, OPT_zdefs)) {
		probe_module(c, desc);
		return true;
	}
	probe_unmatched(c, desc);
	return false;
}

static void probe_inst(struct comp *c, struct clause *cl, struct pdesc *desc,
		       struct dtx_probe **probes, u32 n)
{
	struct inst *i;

	if (!n)
		return;
	i = ARENA_NEW(c->arena, struct inst);
	i->clause = cl;
	i->desc = desc;
	i->probes = probes;
	i->nprobes = n;
	i->is_error = probes[0]->id == ID_ERROR;
	*c->insts_last = i;
	c->insts_last = &i->next;
}

/* ERROR runs inside the programs that fault; each place of a stable probe has its own text. */
static bool probe_is_alone(const struct dtx_probe *p)
{
	return p->id == ID_ERROR || p->stable;
}

/* args.NAME, args[N]->NAME, args[N].NAME */
static bool probe_names_arg(struct node *n, void *arg)
{
	bool *found = arg;
	const struct node *of = n->kind == N_MEMBER ? n->a : NULL;

	if (of && of->kind == N_INDEX)
		of = of->a;
	*found |= of && of->kind == N_IDENT && builtin_named(of->name, BI_args);
	return true;
}

/* Does the clause need argument types?  They are unknown for probes that start later. */
static bool probe_needs_types(const struct comp *c, struct clause *cl)
{
	bool found = false;

	if (c->ast.provdefs)             /* a declaration of the provider has them */
		return false;
	clause_walk(cl->pred, cl->body, probe_names_arg, &found);
	return found;
}

/* Those that start later have arguments of other types than those that are there. */
static bool probe_joins(const struct dtx_probe *a, const struct dtx_probe *b)
{
	return !probe_is_alone(a) && !probe_is_alone(b) && a->late == b->late;
}

/*
 * A function of a program has many names, and several descriptions of a clause may find it: its
 * calls are counted once.  Leaves out what `taken` has.
 */
static void probe_once(struct comp *c, struct keytab *taken, struct pdesc *desc)
{
	struct dtx_probe **left = ARENA_ARRAY(c->arena, struct dtx_probe *, desc->nprobes);
	u32 n = 0;

	for (u32 i = 0; i < desc->nprobes; i++) {
		struct dtx_probe *p = desc->probes[i];
		const u32 key[] = { p->id, p->place.site };
		const struct pdesc **first = p->place.user_ctx && p->place.sym && !p->late ?
					     keytab_put(taken, key) : NULL;

		if (first && *first && *first != desc)
			continue;
		if (first)
			*first = desc;
		left[n++] = p;
	}
	desc->probes = left;
	desc->nprobes = n;
}

static void probe_insts(struct comp *c, struct clause *cl, struct pdesc *desc)
{
	u32 n, all = desc->nprobes;

	while (all && desc->probes[all - 1]->late && probe_needs_types(c, cl)) {
		all--;
		if (desc->probes[all]->provider->list_modules)
			probe_note(c, desc, "'%s' matches nothing now, and a clause that names "
				   "arguments is not attached to what comes with a module: arg0 "
				   "... arg5 are the raw values", desc->text);
	}
	for (u32 at = 0; at < all; at += n) {
		n = 1;
		while (at + n < all && probe_joins(desc->probes[at], desc->probes[at + n]))
			n++;
		probe_inst(c, cl, desc, desc->probes + at, n);
	}
}

/* The same text again (10,000 clauses on BEGIN) is not listed again. */
static struct pdesc *probe_same(struct comp *c, struct map *seen, struct pdesc *d)
{
	const char *key = arena_printf(c->arena, "%s:%s:%s:%s:%u", d->pat.prov, d->pat.mod,
				       d->pat.func, d->pat.name, d->pat.id);
	struct pdesc *old = map_get(seen, key);

	if (!old)
		map_set(seen, key, d);
	return old;
}

static bool probe_clause(struct comp *c, struct clause *cl, struct map *seen);

/* The helper clause stands before the program's, or, NULL, after all. */
static void probe_add_item(struct comp *c, const struct clause *before, struct clause *help)
{
	struct toplevel **at = &c->ast.toplevel, *it = ARENA_NEW(c->arena, struct toplevel);

	while (*at && ((*at)->kind != TOP_CLAUSE || (*at)->what != before))
		at = &(*at)->next;
	it->kind = TOP_CLAUSE;
	it->what = help;
	it->next = *at;
	*at = it;
}

static bool probe_help_clause(struct comp *c, struct clause *cl, const struct dtx_probe *p,
			      const char *text, bool after, struct map *seen)
{
	struct clause *help;

	if (map_add(seen, text, cl))
		return true;
	help = stable_clause(c, p, text);
	if (!help)
		return false;
	help->prog = cl->prog;
	help->index = c->ast.nclauses++;
	help->after = after;
	probe_add_item(c, after ? NULL : cl, help);
	return probe_clause(c, help, seen);
}

/* Helper clauses have no braces in their bodies; each is added once. */
static bool probe_help_clauses(struct comp *c, struct clause *cl, const struct dtx_probe *p,
			       const char *text, bool after, struct map *seen)
{
	bool ok = true;

	while (text && *text) {
		size_t len = strcspn(text, "}") + 1;

		ok &= probe_help_clause(c, cl, p, arena_strndup(c->arena, text, len), after, seen);
		text += len + strspn(text + len, " ");
	}
	return ok;
}

/* Adds the helper clauses of stable.def for the places of this clause: .help, or .after, which are
 * added when all clauses have been seen. */
static bool probe_help(struct comp *c, struct clause *cl, struct pdesc *d, bool after,
		       struct map *seen)
{
	bool ok = true;

	for (u32 i = 0; i < d->nprobes; i++) {
		const struct dtx_stable *st = d->probes[i]->stable;
		const char *text = !st ? NULL : after ? st->after : st->help;

		ok &= probe_help_clauses(c, cl, d->probes[i], text, after, seen);
	}
	return ok;
}

static void probes_once(struct comp *c, struct clause *cl)
{
	struct keytab *taken = keytab_new(2 * sizeof(u32), sizeof(struct pdesc *));

	for (struct pdesc *d = cl->descs; d; d = d->next)
		probe_once(c, taken, d);
	keytab_free(taken);
}

/* Probes of one name share their programs, which run where the first clause of them stands. */
static void probe_own(struct comp *c, struct pdesc *d)
{
	struct dtx_probe **own = ARENA_ARRAY(c->img->arena, struct dtx_probe *, d->nprobes);

	for (u32 i = 0; i < d->nprobes; i++) {
		struct dtx_probe *p = arena_memdup(c->img->arena, d->probes[i], sizeof(*p));

		p->place.site = ~0u;
		own[i] = probe_known(c, p);
	}
	d->probes = own;
}

static bool probe_clause(struct comp *c, struct clause *cl, struct map *seen)
{
	bool ok = true;

	for (struct pdesc *d = cl->descs; d; d = d->next) {
		struct pdesc *old = d->bad ? NULL : probe_same(c, seen, d);

		if (d->bad) {
			ok = false;
		} else if (old) {
			d->probes = old->probes;
			d->nprobes = old->nprobes;
		} else if (!probe_list(c, d)) {
			ok = false;
		}
		if (cl->after)
			probe_own(c, d);
		ok &= probe_help(c, cl, d, false, seen);
	}
	if (cl->descs->next)
		probes_once(c, cl);
	for (struct pdesc *d = cl->descs; d; d = d->next)
		probe_insts(c, cl, d);
	return ok;
}

/* Several sites are one probe to the user. */
static u32 probe_count(const struct pdesc *d)
{
	u32 n = 0;

	for (u32 i = 0; i < d->nprobes; i++)
		n += !d->probes[i]->place.site && !d->probes[i]->late;
	return n;
}

/* The descriptions of a clause as they were written. */
static const char *probe_desc_text(struct comp *c, const struct clause *cl)
{
	const struct pdesc *last = cl->descs;

	while (last->next)
		last = last->next;
	if (!cl->descs->at.src || last->at.src != cl->descs->at.src)
		return arena_strdup(c->img->arena, cl->descs->text);
	return arena_strndup(c->img->arena, cl->descs->at.src->text + cl->descs->at.from,
			     last->at.to - cl->descs->at.from);
}

/* The probes of all descriptions, one after the other. */
static void probe_listed(struct comp *c)
{
	VEC(struct dtx_probe *) all = { 0 };

	for (struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (struct pdesc *d = cl->descs; d && !cl->library; d = d->next)
			for (u32 i = 0; i < d->nprobes; i++)
				if (!d->probes[i]->late)
					VEC_PUSH(&all, d->probes[i]);
	c->img->nlisted = all.n;
	c->img->listed = ARENA_ARRAY(c->img->arena, struct dtx_probe *, all.n);
	if (all.n)
		memcpy(c->img->listed, all.v, all.n * sizeof(*all.v));
	VEC_FREE(&all);
}

/* "description 'x' matched N probes": one a program text, named by its first clause. */
static void probe_descs(struct comp *c)
{
	struct img_desc *descs = ARENA_ARRAY(c->img->arena, struct img_desc, c->nprogs);

	for (u32 i = 0; i < c->nprogs; i++) {
		const struct source *src = c->progs[i].src;

		bool named = c->progs[i].is_script;

		descs[i].is_script = named;
		descs[i].text = arena_strdup(c->img->arena, src->name);
		for (struct clause *cl = c->ast.first; cl; cl = cl->next) {
			if (cl->prog != &c->progs[i])
				continue;
			if (!named && cl->descs)
				descs[i].text = probe_desc_text(c, cl);
			named = true;
			for (struct pdesc *d = cl->descs; d; d = d->next)
				descs[i].nprobes += probe_count(d);
		}
	}
	c->img->descs = descs;
	c->img->ndescs = c->nprogs;
}

/* Does another description of the program match a call of that name? */
static bool probe_traces(const struct comp *c, const char *call)
{
	for (const struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (const struct pdesc *d = cl->descs; d; d = d->next)
			for (u32 i = 0; i < d->nprobes; i++)
				if (!strcmp(d->probes[i]->prov, "syscall") &&
				    !strcmp(d->probes[i]->func, call))
					return true;
	return false;
}

/* What programs call now, if all calls of the description are of those that the C library no longer
 * makes; the first of these.  NULL: no, or the program traces what they call. */
static const char *probe_now(const struct comp *c, const struct pdesc *d)
{
	const char *first = NULL;

	for (u32 i = 0; i < d->nprobes; i++) {
		const char *now = strcmp(d->probes[i]->prov, "syscall") ? NULL :
				  foreign_find(FOREIGN_CALL, d->probes[i]->func);

		if (!now || probe_traces(c, now))
			return NULL;
		first = first ? first : now;
	}
	return first;
}

static void probe_bygone(struct comp *c)
{
	for (const struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (const struct pdesc *d = cl->descs; d; d = d->next) {
			const char *now = probe_now(c, d);

			if (now)
				probe_note(
					c, d,
					"programs rarely make the system call %s now: "
					"use syscall::%s:%s",
					d->probes[0]->func, now, d->pat.name);
		}
}

static bool probe_of_python(const struct dtx_probe *p, const char *name)
{
	return (!strncmp(p->prov, "python", 6) || !strncmp(p->func, "python", 6)) &&
	       !strncmp(p->name, name, strlen(name));
}

/* CPython 3.11 and later skips its probes in calls between Python functions, unless it traces
 * lines. */
static void probe_python(struct comp *c)
{
	const struct pdesc *calls = NULL;

	for (const struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (const struct pdesc *d = cl->descs; d; d = d->next)
			for (u32 i = 0; i < d->nprobes; i++) {
				if (probe_of_python(d->probes[i], "line"))
					return;
				if (probe_of_python(d->probes[i], "function"))
					calls = d;
			}
	if (calls)
		probe_note(
			c, calls,
			"Python 3.11 and later reports most calls only while its line probe is "
			"enabled, too.  This clause enables it, at a cost: python*:::line /0/ { }");
}

static bool probe_names_result(struct node *n, void *arg)
{
	static const enum builtin_id ids[] = { BI_arg1, BI_retval, BI_args };
	bool *found = arg;

	for (u32 i = 0; i < ARRAY_SIZE(ids) && n->kind == N_IDENT; i++)
		*found |= builtin_named(n->name, ids[i]);
	return true;
}

/* May a clause use the result of a function?  An inline of the program may name it. */
static bool probe_uses_result(const struct comp *c)
{
	bool found = false;

	for (const struct toplevel *t = c->ast.toplevel; t; t = t->next) {
		const struct sym *s = t->kind == TOP_SYM ? t->what : NULL;

		found |= s && s->kind == SYM_INLINE && !s->lib;
	}
	for (const struct clause *cl = c->ast.first; cl && !found; cl = cl->next)
		clause_walk(cl->pred, cl->body, probe_names_result, &found);
	return found;
}

/* The option that selects processes; NULL: none does. */
static const char *probe_selects(const struct comp *c)
{
	const char *group = opt_text(c->env, OPT_cgroup), *comm = opt_text(c->env, OPT_comm);

	if (opt_num(c->env, OPT_follow))
		return "--follow";
	if (c->env->target_only)
		return "-p";
	if (group && *group)
		return "--cgroup";
	return comm && *comm ? "--comm" : NULL;
}

bool probe_at_call(const struct dtx_probe *p)
{
	return (!strcmp(p->name, "entry") || !strcmp(p->name, "return")) &&
	       (!strcmp(p->prov, "uprobe") || prov_is_pid(p->prov));
}

bool probe_expand(struct comp *c)
{
	struct map *seen = map_new();
	bool ok = true;

	c->env->results_used = probe_uses_result(c);
	for (struct clause *cl = c->ast.first; cl; cl = cl->next) {
		ok &= probe_clause(c, cl, seen);
		if (c->env->diags.nerrors > c->env->diags.max_errors)
			break;
	}
	for (struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (struct pdesc *d = cl->descs; d; d = d->next)
			ok &= probe_help(c, cl, d, true, seen);
	c->env->results_used = false;
	map_free(seen);
	if (ok && !c->env->diags.nerrors) {
		probe_needs(c);
		probe_pasts(c);
		probe_bygone(c);
		probe_python(c);
		if (probe_selects(c))
			subject_warn(c, probe_selects(c));
		probe_descs(c);
		if (c->opts->listed)
			probe_listed(c);
	}
	return ok || c->env->diags.nerrors;      /* the other clauses are checked, too */
}

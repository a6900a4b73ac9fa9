/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compile.c - the list of passes, the only place with their order.
 */
#include <stdlib.h>

#include <dtx/optrow.h>

#include "compiler/dump/dump.h"
#include "compiler/emit/emit.h"

struct pass {
	const char *name;
	bool (*run)(struct comp *);
	const char *stage;       /* the dump that -S shows after it, or NULL */
	void (*dump)(struct comp *, struct buf *);
	bool more;               /* its errors do not hide those that the next pass finds */
	/* needs / gives */
};

static bool bind(struct comp *c)
{
	if (c->opts && c->opts->keep) {
		img_bind(c->env, c->img);
		c->img->script = param_script(c);
	}
	return true;
}

static const struct pass passes[] = {
	/* text            → clauses, declarations, options of pragmas           */
	{ "parse",  parse_programs, "ast",   dump_ast, true },
	/* clauses         → instances: a clause on what one description matched */
	{ "expand", probe_expand,   NULL,    NULL, true },
	/* instances       → typed predicates and bodies, symbols                */
	{ "check",  check_insts,    "typed", dump_typed },
	/* typed instances → stability of the programs                           */
	{ "stability", stability_check, NULL, NULL },
	/* typed instances → BPF programs: which clauses run on which probes     */
	{ "group",  probe_group,    NULL,    NULL },
	/* programs        → plan and manifest: every offset and size            */
	{ "layout", layout,         "plan",  dump_plan },
	/* plan            → what it is good for, when it is kept                */
	{ "bind",   bind,           NULL,    NULL },
	/* plan            → object with manifest                                */
	{ "emit",   emit_image,     NULL,    NULL },
};

static void comp_init(struct comp *c)
{
	c->ast.last = &c->ast.first;
	c->syms_last = &c->syms;
	c->insts_last = &c->insts;
	front_open(c);
	check_open(c);
	c->probe_ids = keytab_new(2 * sizeof(u32), sizeof(u32));
	c->plan = ARENA_NEW(c->arena, struct plan);
	c->img = ARENA_NEW(c->arena, struct img);
	c->constant = fold_declared;
	c->img->arena = c->arena;
}

static void comp_free(struct comp *c)
{
	keytab_free(c->probe_ids);
	check_close(c);
	front_close(c);
}

#define NODE_TIME  250           /* microseconds: about the time of LLVM per node of a program */
#define TOLD_TIME  3             /* seconds: longer times are announced */

/* Reports how long code generation will take, if it is long. */
static void announce_time(struct comp *c)
{
	u64 nodes = 0, seconds;

	for (const struct inst *i = c->insts; i; i = i->next)
		nodes += i->nodes;
	seconds = nodes * NODE_TIME / 1000000;
	if (seconds >= TOLD_TIME)
		diags_say(&c->env->diags, MESSAGE(DTX_PROGRESS, DTX_INFO),
			  "making the code of %u clauses takes about %llu s",
			  c->ast.nclauses, (unsigned long long)seconds);
}

static bool run_passes(struct comp *c)
{
	const struct compile_opts *o = c->opts;

	for (u32 i = 0; i < ARRAY_SIZE(passes); i++) {
		const struct pass *p = &passes[i];

		if (p->run == emit_image)
			announce_time(c);
		if (!p->run(c) || (c->env->diags.nerrors && !p->more))
			return false;
		if (o && o->token)
			return false;    /* parsing has told them */
		if (!p->stage || !o || c->env->diags.nerrors)
			continue;
		if (o->header)
			return header_write(c, o->header), false;
		if (list_has(o->dump, p->stage))
			p->dump(c, o->dumped);
		if (o->stop_after && !strcmp(o->stop_after, p->stage))
			return false;
	}
	return true;
}

/* What an attempt to compile changes outside its comp. */
struct before {
	struct diags said;
	struct options *options;     /* pragmas set more */
	size_t shown;                /* bytes of the dumps */
};

static struct before before_attempt(const struct dtx_env *env, const struct compile_opts *o)
{
	return (struct before){ env->diags, options_copy(env->arena, env->opts),
				o && o->dumped ? o->dumped->len : 0 };
}

static void forget_attempt(struct comp *c, const struct before *b)
{
	struct buf *dumped = c->opts ? c->opts->dumped : NULL;

	c->env->diags = b->said;
	*c->env->diags.last = NULL;
	options_restore(c->env->opts, b->options);
	if (dumped && dumped->data)
		dumped->data[dumped->len = b->shown] = 0;
}

/* The passes, again where widths of variables became known; NULL: what they asked for is made, or
 * they failed. */
static struct img *attempts(const struct comp *start, const struct before *before)
{
	struct comp c;
	bool ok;

	for (;;) {
		c = *start;
		comp_init(&c);
		ok = run_passes(&c);
		comp_free(&c);
		if (!width_again(c.widths))
			return ok ? c.img : NULL;
		forget_attempt(&c, before);
	}
}

/* Whether the compilation goes beyond the text, for which it needs rights and types. */
static bool needs_probes(const struct compile_opts *o)
{
	return !o || (!o->header && !o->token && !(o->stop_after && !strcmp(o->stop_after, "ast")));
}

static bool has_error(const struct diags *ds, const char *tag)
{
	for (const struct diag *d = ds->first; d; d = d->next)
		if (d->m.severity == DTX_ERROR && d->m.tag && !strcmp(d->m.tag, tag))
			return true;
	return false;
}

/* A probe that this machine does not have says nothing against a text, nor do names that may be
 * those of its arguments. */
static bool only_lacks_probes(const struct diags *ds)
{
	const char *lacks = "D_PDESC_ZERO";
	bool names = has_error(ds, lacks);

	for (const struct diag *d = ds->first; d; d = d->next) {
		const char *tag = d->m.tag ?: "";

		if (d->m.severity == DTX_ERROR && strcmp(tag, lacks) &&
		    !(names && (!strncmp(tag, "D_IDENT_", 8) || !strncmp(tag, "D_ARGS_", 7))))
			return false;
	}
	return true;
}

/* The programs up to that of `src`, with `text` in its place, compiled without a word. */
static bool accepted(struct comp *c, const struct source *src, const char *text)
{
	struct before before = before_attempt(c->env, NULL), none;
	struct compile_opts opts = { .stop_after = needs_probes(c->opts) ? "typed" : "ast" };
	struct comp start = { .env = c->env, .arena = c->arena, .opts = &opts,
			      .progs = arena_alloc(c->arena, c->nprogs * sizeof(*c->progs)),
			      .widths = width_open(c->arena) };
	struct diags *ds = &c->env->diags;
	bool ok;

	while (start.nprogs < c->nprogs) {
		start.progs[start.nprogs] = c->progs[start.nprogs];
		if (c->progs[start.nprogs++].src == src)
			break;
	}
	start.progs[start.nprogs - 1].src = source_open(c->arena, src->name, text, strlen(text),
							src->is_file);
	*ds = (struct diags){ .arena = ds->arena, .tool = ds->tool, .max_errors = ds->max_errors };
	ds->last = &ds->first;
	none = before_attempt(c->env, NULL);
	attempts(&start, &none);
	ok = only_lacks_probes(ds);
	width_close(start.widths);
	forget_attempt(c, &before);
	return ok;
}

struct img *dtx_compile_image(struct dtx_env *env, struct dtx_program *progs, u32 n,
			      struct arena *arena, const struct compile_opts *opts)
{
	struct comp start = { .env = env, .arena = arena, .progs = progs, .nprogs = n, .opts = opts,
			      .widths = width_open(arena), .accepted = accepted };
	struct before before;
	struct img *img;

	provider_look_anew(env);
	options_tell_idle(env, (struct range){ 0 });
	before = before_attempt(env, opts);
	img = attempts(&start, &before);
	width_close(start.widths);
	return img;
}

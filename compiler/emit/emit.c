/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.c - makes the module: data, programs of clauses; then the manifest, the library, the
 * optimiser, the object.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/ErrorHandling.h>

#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/emit/emit-private.h"
#include "compiler/front/builtin.h"

/* ---- a program ------------------------------------------------------------------------------- */

static bool has_exit(const struct node *list)
{
	for (; list; list = list->next) {
		if (list->kind == N_ACTION && builtin_is(list->row, BI_exit))
			return true;
		if ((list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP) &&
		    (has_exit(list->b) || has_exit(list->c)))
			return true;
	}
	return false;
}

static bool may_exit(const struct prog_group *g, bool errors)
{
	for (u32 i = 0; i < g->ninsts; i++)
		if (has_exit(g->insts[i]->body))
			return true;
	return errors;
}

/* Many clauses: each subprogram has some of them. */
static void outline(struct emit *e, struct clauses *l, bool exits)
{
	u32 per = emit_is_huge(e) ? SUBPROG_CLAUSES : (l->n + SUBPROGS_MAX - 1) / SUBPROGS_MAX;
	u32 n = 0;

	for (u32 i = 0; i < l->n; i += per) {
		struct clauses part = { l->fns + i, MIN(per, l->n - i) };
		char name[32];
		block quit;
		val fn;

		snprintf(name, sizeof(name), "part_%u_%u", e->p.prog->index, n);
		fn = emit_begin_framed(e, name, "noinline");
		quit = ll_block(e, "quit");
		emit_calls(e, &part, quit, exits);
		ll_at(e, quit);
		LLVMBuildRetVoid(e->b);
		l->fns[n++] = fn;
	}
	l->n = n;
}

static u32 clause_count(const struct prog *p)
{
	u32 n = 0;

	for (u32 i = 0; i < p->ngroups; i++)
		n += p->groups[i].ninsts;
	return n;
}

static struct clauses group_clauses(struct emit *e, struct prog_group *g)
{
	struct clauses l = { ARENA_ARRAY(e->c->arena, val, g->ninsts), 0 };

	e->p.group = g;
	for (u32 i = 0; i < g->ninsts; i++) {
		e->p.inst = g->insts[i];
		l.fns[l.n++] = emit_clause(e);
	}
	if (!e->p.inlined)
		outline(e, &l, may_exit(g, e->p.error_fn));
	return l;
}

static void begin_program(struct emit *e)
{
	const struct img_prog *p = &e->c->img->progs[e->p.prog->index];

	emit_begin_program(e, p->name, p->section);
}

static void program_body(struct emit *e, struct clauses *lists, block quit)
{
	struct prog *p = e->p.prog;
	val group, sw = NULL;

	emit_gate(e, quit);
	if (e->p.status)                   /* the return is wanted as well */
		LLVMBuildStore(e->b, ll_num32(e, 0), e->p.status);
	group = kind_is(p->kind, KIND_SAMPLE) || emit_is_guarded(p) ? NULL : emit_ident(e, quit);
	emit_filter(e, quit);
	if (!e->p.inlined || e->p.large)
		emit_look_up(e, quit);
	if (group)
		sw = LLVMBuildSwitch(e->b, group, quit, p->ngroups);
	for (u32 i = 0; i < p->ngroups; i++) {
		if (sw) {
			block b = ll_block(e, "group");

			LLVMAddCase(sw, ll_num(e, i), b);
			ll_at(e, b);
		}
		emit_calls(e, &lists[i], quit, may_exit(&p->groups[i], e->p.error_fn));
	}
}

/*
 * Does the state of the session matter to the program?  Not if it is the only one, at one probe,
 * and only keeps data: it begins and ends with its link, and the data are read after that.
 */
static bool heeds_state(const struct emit *e, const struct prog *p)
{
	const struct comp *c = e->c;

	if (c->bprogs->next || p->nprobes != 1 || (c->opts && c->opts->keep) ||
	    opt_is_set(c->env, OPT_cpu))
		return true;
	for (u32 i = 0; i < c->img->nsites; i++)
		if (c->img->sites[i].rec_size || c->img->sites[i].nactions)
			return true;
	return false;
}

/*
 * While nothing was shown, probes that fire leave a mark before the program goes on.  Probes of
 * later programs have no index of their own.
 * Why: docs/decisions/44-silence.md
 */
static void emit_watched(struct emit *e, block live, block quit)
{
	block watched = ll_block(e, "watched");

	ll_if(e, ll_call_n(e, "dtx_watched", NULL, 0), watched, quit);
	ll_at(e, watched);
	if (!e->p.prog->probes[0]->late) {
		if (!kind_is(e->p.prog->kind, KIND_SAMPLE) && !emit_is_guarded(e->p.prog))
			emit_ident(e, live);
		ll_call(e, "dtx_mark", e->f.frame);
	}
	ll_br(e, live);
}

static void emit_program(struct emit *e, struct prog *p)
{
	block idle;

	struct clauses *lists = ARENA_ARRAY(e->c->arena, struct clauses, p->ngroups);
	block live, quit;

	e->p.prog = p;
	e->p.group = &p->groups[0];
	e->p.inlined = clause_count(p) <= INLINE_CLAUSES;
	e->p.large = p->large || e->frugal;
	emit_error(e);
	e->p.uses = 0;
	for (u32 i = 0; i < p->ngroups; i++)
		lists[i] = group_clauses(e, &p->groups[i]);
	begin_program(e);
	live = ll_block(e, "live");
	quit = ll_block(e, "quit");
	emit_frame(e, LLVMGetParam(e->f.fn, 0));
	e->p.status = kind_is(p->kind, KIND_BOTH) ? ll_alloca(e, e->i32, "status") : NULL;
	if (e->p.status)
		LLVMBuildStore(e->b, ll_num32(e, 1), e->p.status);
	if (kind_is(p->kind, KIND_SAMPLE)) {
		emit_ident(e, quit);
		ll_call(e, "dtx_ran", e->f.frame);
	}
	if (emit_is_guarded(p)) {        /* also while tracing has not begun */
		emit_ident(e, quit);
		emit_guard(e, quit);
	}
	if (kind_is(p->kind, KIND_ONCE) || !heeds_state(e, p)) {
		ll_br(e, live);
	} else {
		idle = ll_block(e, "idle");
		ll_if(e, ll_call_n(e, "dtx_active", NULL, 0), live, idle);
		ll_at(e, idle);
		emit_watched(e, live, quit);
	}
	ll_at(e, live);
	program_body(e, lists, quit);
	/* last in the code, too, as LLVM leaves it there: nothing has to jump to it */
	LLVMMoveBasicBlockAfter(quit, LLVMGetLastBasicBlock(e->f.fn));
	ll_at(e, quit);
	ll_call(e, "dtx_release", e->f.frame);
	LLVMBuildRet(e->b, e->p.status ? LLVMBuildLoad2(e->b, e->i32, e->p.status, "")
				     : ll_num32(e, kind_is(p->kind, KIND_SHARED)));
}

/* A program only for ERROR never runs: its clauses are part of the other programs. */
static void emit_error_program(struct emit *e, struct prog *p)
{
	e->p.prog = p;
	begin_program(e);
	LLVMBuildRet(e->b, ll_num32(e, 0));
}

static bool is_error_prog(const struct prog *p)
{
	return p->groups[0].ninsts && p->groups[0].insts[0]->is_error;
}

/* ---- the module ------------------------------------------------------------------------------ */

static bool wants(const struct emit *e, const char *stage)
{
	return e->c->opts && list_has(e->c->opts->dump, stage);
}

static void dump_llvm(struct emit *e)
{
	char *text;

	if (!wants(e, "llvm"))
		return;
	text = LLVMPrintModuleToString(e->mod);
	buf_puts(e->c->opts->dumped, text);
	LLVMDisposeMessage(text);
}

static void dump_bpf(struct emit *e)
{
	LLVMMemoryBufferRef out;
	LLVMModuleRef copy;
	char *err = NULL;

	if (!wants(e, "bpf"))
		return;
	copy = LLVMCloneModule(e->mod);
	LLVMStripModuleDebugInfo(copy);
	if (LLVMTargetMachineEmitToMemoryBuffer(e->tm, copy, LLVMAssemblyFile, &err, &out)) {
		LLVMDisposeMessage(err);
	} else {
		buf_add(e->c->opts->dumped, LLVMGetBufferStart(out), LLVMGetBufferSize(out));
		LLVMDisposeMemoryBuffer(out);
	}
	LLVMDisposeModule(copy);
}

static void emit_module(struct emit *e)
{
	dbg_open(e);
	emit_data(e);
	emit_place_frame(e);
	for (struct prog *p = e->c->bprogs; p; p = p->next) {
		if (is_error_prog(p))
			emit_error_program(e, p);
		else if (p->saves)
			emit_entry_program(e, p);
		else
			emit_program(e, p);
	}
	emit_filter_programs(e);
	emit_vtime_program(e);
	emit_needs(e);
	emit_manifest(e);
}

/* The error of LLVM. */
static bool refused(struct emit *e)
{
	struct diags *ds = &e->c->env->diags;
	struct diag *d;

	if (!strstr(e->said, "stack limit"))
		return link_fail(e, e->said, NULL);
	d = diag_error(ds, D_UNKNOWN, (struct range){ 0 },
		       "a clause needs more than the 512 bytes of a BPF stack");
	diag_hint(ds, d, "keep parts of its largest expressions in variables, or split it into "
			 "two clauses");
	return false;
}

/* A second attempt, if the stack is too small for the values that the optimiser keeps there. */
static bool emit_try(struct comp *c, bool frugal, bool *again)
{
	struct emit e = { .c = c, .frugal = frugal };
	bool ok = ll_open(&e);

	c->img->nplaces = 0;
	if (ok)
		emit_module(&e);
	ok = ok && !c->env->diags.nerrors && link_module(&e);
	if (ok) {
		dump_llvm(&e);
		dump_bpf(&e);
		ok = link_object(&e);
	}
	*again = ok && e.said && !frugal;
	if (ok && e.said && frugal)
		ok = refused(&e);
	ll_close(&e);
	keytab_free(e.places);
	return ok;
}

/*
 * LLVM ends the process on a fatal error.  A D program can cause one: a jump over more than the
 * 32,767 instructions that BPF jumps reach.  LLVM first calls a handler, and this longjmp is
 * the only way out of it; the memory of LLVM is then not freed.
 */
static _Thread_local jmp_buf given_up;
static _Thread_local char given_up_why[200];

static void on_fatal(const char *why)
{
	snprintf(given_up_why, sizeof(given_up_why), "%s", why);
	longjmp(given_up, 1);
}

static bool refused_whole(struct comp *c)
{
	const struct inst *longest = c->insts;

	for (const struct inst *i = c->insts; i; i = i->next)
		if (i->nodes > longest->nodes)
			longest = i;
	diag_hint(&c->env->diags, diag_error(&c->env->diags, D_UNKNOWN, longest->clause->at,
		  "the program is too long for BPF: %s", given_up_why),
		  "split this clause, the longest, into several");
	return false;
}

bool emit_image(struct comp *c)
{
	bool ok, again;

	LLVMResetFatalErrorHandler();
	LLVMInstallFatalErrorHandler(on_fatal);
	if (setjmp(given_up))
		return refused_whole(c);
	ok = emit_try(c, false, &again);
	return again ? emit_try(c, true, &again) : ok;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_error.c - the ERROR clauses: a function of each program, called where a clause faults
 * (emit_clause.c).
 *
 *   error_N(site, fault, value, probe, ctx)        exit() ran: 1, else 0
 *   dtx_g_error_N(site, fault, value, probe)       the same as a global BPF function
 *
 * The second is verified once, not once per clause; it cannot have the context, which only
 * stacks need.
 * Why: docs/decisions/03-error-clauses.md
 *      docs/decisions/15-global-functions.md
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

enum { P_SITE, P_FAULT, P_VALUE, P_PROBE, P_CTX };

/*
 * Hidden from the optimiser: it would remove unused arguments, but the verifier requires
 * all arguments of a global function.  In large programs they are hidden from the verifier
 * too; else it would follow each fault separately.
 */
static val argument(struct emit *e, u32 i)
{
	val v = ll_call(e, "dtx_opaque", LLVMGetParam(e->f.fn, i)), p;

	if (!e->p.large)
		return v;
	p = ll_off(e, ll_load_ptr(e, emit_m(e, scratch)), e->c->plan->tail_off);
	LLVMSetVolatile(LLVMBuildStore(e->b, v, p), true);
	return ll_load_now(e, p, 8, false);
}

/* Arguments of ERROR, after its machine state. */
static void error_args(struct emit *e)
{
	u32 base = sizeof(struct dtx_mst);
	val fault = LLVMBuildAnd(e->b, argument(e, P_FAULT), ll_num(e, DTX_FAULT_MASK), "");
	val args[ERROR_ARGS] = {
		ll_num(e, 0), NULL, argument(e, P_SITE), ll_num(e, -1),
		LLVMBuildSub(e->b, fault, ll_num(e, 1), ""),
		argument(e, P_VALUE),
	};

	ll_store(e, argument(e, P_PROBE), emit_m(e, probe), 4);
	args[1] = emit_probe_id(e);
	for (u32 i = 0; i < ERROR_ARGS; i++)
		ll_store(e, args[i], emit_mst(e, base + 8 * i), 8);
}

static void begin(struct emit *e)
{
	LLVMTypeRef params[] = { e->i64, e->i64, e->i64, e->i64, e->ptr };
	bool global = !(e->p.uses & USES_CTX);
	char name[32];

	snprintf(name, sizeof(name), global ? "dtx_g_error_%u" : "error_%u", e->p.prog->index);
	e->f.fn = LLVMAddFunction(e->mod, name,
				LLVMFunctionType(e->i64, params, global ? 4 : 5, false));
	ll_target(e, e->f.fn);
	ll_attr(e, e->f.fn, "noinline");
	if (!global)
		LLVMSetLinkage(e->f.fn, LLVMInternalLinkage);
	if (global)
		dbg_library_global(e, e->f.fn);
	else
		dbg_function(e, e->f.fn, emit_first_error(e->c)->clause->at, false);
	e->p.error_fn = e->f.fn;
	e->f.entry = ll_block(e, "entry");
	ll_at(e, e->f.entry);
	dbg_line(e, emit_first_error(e->c)->clause->at);
	emit_frame(e, global ? LLVMConstNull(e->ptr) : LLVMGetParam(e->f.fn, P_CTX));
}

/* Puts the ERROR clauses of the program into e->p.error_fn; NULL: none. */
void emit_error(struct emit *e)
{
	struct inst *first = emit_first_error(e->c);
	struct prog_group *group = e->p.group, own = { 0 };
	struct clauses l = { ARENA_ARRAY(e->c->arena, val, e->c->img->nsites + 1), 0 };
	block quit;

	e->p.error_fn = NULL;
	if (!first)
		return;
	e->p.in_error = true;
	e->p.uses = 0;
	for (struct inst *i = first; i; i = i->next) {
		if (!i->is_error)
			continue;
		own.probes = i->probes;
		own.nprobes = i->nprobes;
		e->p.group = &own;
		e->p.inst = i;
		l.fns[l.n++] = emit_clause(e);
	}
	begin(e);
	own.probes = e->p.prog->probes;
	own.nprobes = e->p.prog->nprobes;
	quit = ll_block(e, "quit");
	if (e->p.large)
		emit_look_up(e, quit);
	error_args(e);
	ll_store(e, ll_num(e, probe_index(e->c, first->probes[0])), emit_m(e, probe), 4);
	emit_calls(e, &l, quit, true);
	ll_at(e, quit);
	ll_call(e, "dtx_release", e->f.frame);
	LLVMBuildRet(e->b, ll_load(e, emit_m(e, exited), 4, false));
	e->p.group = group;
	e->p.in_error = false;
}


/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_loop.c - for and while; break, continue, return.
 *
 * Every loop counts its turns beside the program's own condition.  A loop that reaches its
 * bound has not ended by itself: that is a fault, like everything else a clause cannot do.
 *
 * Where the kernel calls functions in a loop (FEAT_LOOP), the statements of a clause with
 * loops are a function that the kernel calls until it gives 1.  A call goes on with the loop
 * whose turn it is, up to the next place where a turn ends:
 *
 *   clause_N_G_I(frame)             turn_N_G_I(i, frame)
 *     predicate, record               switch (loop_off[0])
 *     loop_off[0] = 0                   0: the first statement
 *     bpf_loop(turn_N_G_I)              k: the condition of loop k … loop_off[0] = k; return 0
 *     fault, out or done              behind the last statement: return 1
 *
 * So there is one way through however many loops, and the verifier follows it once: which
 * loop's turn it is, and which, are in scratch memory, of which it knows nothing.
 *
 * Elsewhere loops are jumps back, and the verifier follows them turn by turn.
 */
#include <stdio.h>

#include "compiler/emit/gen.h"

#define TURNS_ALL  131072        /* of all loops of a clause, in one firing */
#define LEFT       (~0u)         /* instead of a loop: the clause ends without a record */

static val place(struct emit *e, u32 loop)
{
	return emit_scratch(e, e->c->plan->loop_off + 8 * loop);
}

/* ---- the function of turns --------------------------------------------------------------- */

/* What a turn leaves in the machine state and the next one would be followed again for. */
static void forget_turn(struct emit *e)
{
	val at = emit_m(e, mem);

	ll_store(e, emit_forget(e, ll_load(e, at, 4, false)), at, 4);
}

static void end_turns(struct emit *e)
{
	ll_at(e, e->again);
	forget_turn(e);
	LLVMBuildRet(e->b, ll_num(e, 0));
	ll_at(e, e->out);
	ll_store(e, ll_num(e, LEFT), place(e, 0), 8);
	ll_br(e, e->done);
	ll_at(e, e->fault);
	ll_br(e, e->done);
	ll_at(e, e->done);
	LLVMBuildRet(e->b, ll_num(e, 1));
}

val emit_turns(struct emit *e)
{
	LLVMTypeRef params[] = { e->i64, e->ptr };
	u32 group = e->group ? (u32)(e->group - e->prog->groups) & 0xffff : 0;
	char name[48];
	block begin;
	val fn;

	snprintf(name, sizeof(name), "turn_%u_%u_%u", e->prog->index, group, e->inst->site);
	fn = emit_begin_function(e, name, "noinline", LLVMFunctionType(e->i64, params, 2, false));
	e->slot = ll_alloca(e, e->ptr, "slot");
	LLVMBuildStore(e->b, ll_load_ptr(e, emit_m(e, scratch)), e->slot);
	e->claims[0] = true;
	e->phase = 1;
	e->held = e->loops = 0;
	e->done = ll_block(e, "done");
	e->out = ll_block(e, "out");
	e->fault = ll_block(e, "fault");
	e->again = ll_block(e, "again");
	begin = ll_block(e, "begin");
	emit_rec_place(e);
	e->heads = LLVMBuildSwitch(e->b, ll_load_now(e, place(e, 0), 8, false), begin,
				   e->inst->loops);
	ll_at(e, begin);
	emit_statements(e, e->inst->body);
	ll_br(e, e->done);
	end_turns(e);
	e->again = NULL;
	return fn;
}

void emit_turns_call(struct emit *e, val turns)
{
	val n;

	ll_store(e, ll_num(e, 0), place(e, 0), 8);
	forget_turn(e);
	n = ll_call(e, "dtx_turns", ll_num(e, TURNS_ALL + 1), turns, e->frame);
	emit_check_fault(e);
	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, n, ll_num(e, TURNS_ALL), ""),
		      DTX_FAULT_LOOP, ll_num(e, TURNS_ALL));
	n = ll_load_now(e, place(e, 0), 8, false);
	ll_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, n, ll_num(e, LEFT), ""), e->out, e->done);
}

/* ---- loops ------------------------------------------------------------------------------- */

/* Kept from the optimiser, which would unroll the loop or find a way to count without it. */
static void count(struct emit *e, const struct node *n, val turns)
{
	val t = e->again ? ll_load_now(e, turns, 8, false) : ll_load(e, turns, 8, false);

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, t, ll_num(e, n->value), ""),
		      DTX_FAULT_LOOP, ll_num(e, n->value));
	t = LLVMBuildAdd(e->b, t, ll_num(e, 1), "");
	ll_store(e, ll_call(e, "dtx_opaque", t), turns, 8);
}

/* The loop's number, if its turns are calls; else 0. */
static u32 begin_loop(struct emit *e, block head)
{
	if (!e->again) {
		link_keep_order();
		return 0;
	}
	LLVMAddCase(e->heads, ll_num(e, ++e->loops), head);
	return e->loops;
}

static void turn_back(struct emit *e, u32 loop, block head)
{
	if (!loop) {
		ll_br(e, head);
		return;
	}
	ll_store(e, ll_num(e, loop), place(e, 0), 8);
	ll_br(e, e->again);
}

void emit_loop(struct emit *e, const struct node *n)
{
	block head = ll_block(e, "loop"), body = ll_block(e, "body"), turn = ll_block(e, "turn");
	block end = ll_block(e, "end"), outer_turn = e->turn, outer_leave = e->leave;
	u32 loop = begin_loop(e, head);
	val turns = loop ? NULL : ll_alloca(e, e->i64, "turns");

	ll_store(e, ll_num(e, 0), loop ? place(e, loop) : turns, 8);
	ll_br(e, head);
	ll_at(e, head);
	if (n->a)
		ll_if(e, emit_cond(e, n->a), body, end);
	else
		ll_br(e, body);
	ll_at(e, body);
	count(e, n, loop ? place(e, loop) : turns);
	e->turn = turn;
	e->leave = end;
	emit_statements(e, n->b);
	e->turn = outer_turn;
	e->leave = outer_leave;
	ll_br(e, turn);
	ll_at(e, turn);
	emit_statements(e, n->c);
	turn_back(e, loop, head);
	ll_at(e, end);
	if (outer_turn && !loop) /* a loop within a loop */
		ll_call_n(e, "dtx_meet", NULL, 0);
}

/* What follows a jump in its list is never reached: it goes to a block of its own. */
void emit_goto(struct emit *e, const struct node *n)
{
	ll_br(e, n->op == 'b' ? e->leave : n->op == 'c' ? e->turn : e->done);
	ll_at(e, ll_block(e, "unreached"));
}

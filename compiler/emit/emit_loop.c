/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_loop.c - for and while; break, continue, return.
 *
 * The verifier follows a loop turn by turn, so that every loop needs a bound that it can
 * see: a counter beside the program's own condition.  A loop that reaches it has not
 * ended by itself: that is a fault, like everything else a clause cannot do.
 */
#include "compiler/emit/gen.h"

/* Kept from the optimiser, which would unroll the loop or find a way to count without it. */
static void count(struct emit *e, const struct node *n, val turns)
{
	val t = ll_load(e, turns, 8, false);

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, t, ll_num(e, n->value), ""),
		      DTX_FAULT_LOOP, ll_num(e, n->value));
	t = LLVMBuildAdd(e->b, t, ll_num(e, 1), "");
	ll_store(e, ll_call(e, "dtx_opaque", t), turns, 8);
}

void emit_loop(struct emit *e, const struct node *n)
{
	block head = ll_block(e, "loop"), body = ll_block(e, "body"), turn = ll_block(e, "turn");
	block end = ll_block(e, "end"), outer_turn = e->turn, outer_leave = e->leave;
	val turns = ll_alloca(e, e->i64, "turns");

	link_keep_order();
	ll_store(e, ll_num(e, 0), turns, 8);
	ll_br(e, head);
	ll_at(e, head);
	if (n->a)
		ll_if(e, emit_cond(e, n->a), body, end);
	else
		ll_br(e, body);
	ll_at(e, body);
	count(e, n, turns);
	e->turn = turn;
	e->leave = end;
	emit_statements(e, n->b);
	e->turn = outer_turn;
	e->leave = outer_leave;
	ll_br(e, turn);
	ll_at(e, turn);
	emit_statements(e, n->c);
	ll_br(e, head);
	ll_at(e, end);
	if (outer_turn)          /* a loop within a loop */
		ll_call_n(e, "dtx_meet", NULL, 0);
}

/* What follows a jump in its list is never reached: it goes to a block of its own. */
void emit_goto(struct emit *e, const struct node *n)
{
	ll_br(e, n->op == 'b' ? e->leave : n->op == 'c' ? e->turn : e->done);
	ll_at(e, ll_block(e, "unreached"));
}

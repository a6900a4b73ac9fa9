/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_loop.c - for and while; break, continue, return.
 *
 * Every loop counts its turns, in addition to the condition of the program.  A loop that
 * reaches the limit faults, like everything else a clause cannot do.
 *
 * If the kernel can call functions in a loop (FEAT_LOOP), the statements of a clause with
 * loops are a function that the kernel calls until it returns 1.  Each call continues the
 * current loop, up to the end of the turn:
 *
 *   clause_N_G_I(frame)             part_N_G_I_0(i, frame)
 *     predicate, record               switch (loop_off[0])
 *     loop_off[0] = 0                   0: the first statement
 *     bpf_loop(part_N_G_I_0)            k: the condition of loop k … loop_off[0] = k; return 0
 *     fault, out, done                after the last statement: return 1
 *
 * So there is one path through any number of loops, and the verifier follows it once: the
 * number of the loop and of the turn are in scratch memory, which it does not track.
 *
 * On other kernels loops are backward jumps, and the verifier follows them turn by turn.  It gives
 * up soon if they are nested more than once, or have many branches: then the clause calls the
 * function of the turns in one loop of its own, whose turns are all that the verifier follows.
 *
 * The statements of a long clause are several such functions, called one after the other: a jump
 * reaches 32,767 instructions, and so far is the way out of a clause.  Those without loops
 * are called once, and give 0 when the next one's turn has come.
 * Why: docs/decisions/14-large-programs.md
 *      docs/decisions/26-loops.md
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

/* Instead of a loop, in loop_off[0]: */
#define RETURNED   (~1u)         /* the clause ends here */
#define LEFT       (~0u)         /* the same, without a record */

static val place(struct emit *e, u32 loop)
{
	return emit_scratch(e, e->c->plan->loop_off + 8 * loop);
}

/* ---- statements as functions ------------------------------------------------------------- */

/* Machine state that a turn changes; the verifier would follow the next turn again because of
 * it. */
static void forget_turn(struct emit *e)
{
	val at = emit_m(e, mem);

	ll_store(e, emit_forget(e, ll_load(e, at, 4, false)), at, 4);
}

static void leave_with(struct emit *e, block from, u32 how)
{
	ll_at(e, from);
	ll_store(e, ll_num(e, how), place(e, 0), 8);
	ll_br(e, e->f.fault);
}

static void end_part(struct emit *e, block end)
{
	if (e->loop.again) {
		ll_at(e, e->loop.again);
		forget_turn(e);
		LLVMBuildRet(e->b, ll_num(e, 0));
	}
	ll_at(e, end);
	LLVMBuildRet(e->b, ll_num(e, e->loop.again != NULL));
	leave_with(e, e->f.done, RETURNED);
	leave_with(e, e->f.out, LEFT);
	ll_at(e, e->f.fault);
	LLVMBuildRet(e->b, ll_num(e, 1));
}

static void begin_part(struct emit *e, const struct part *p, u32 index)
{
	LLVMTypeRef params[] = { e->i64, e->ptr };
	char name[64];

	snprintf(name, sizeof(name), "part_%u_%u_%u_%u", e->p.prog->index, emit_group_number(e),
		 e->p.inst->site, index);
	emit_begin_function(e, name, "noinline",
			    LLVMFunctionType(e->i64, params + !p->turns, 1 + p->turns, false));
	e->f.slot = ll_alloca(e, e->ptr, "slot");
	LLVMBuildStore(e->b, ll_load_ptr(e, emit_m(e, scratch)), e->f.slot);
	e->f.claims[0] = true;
	e->f.phase = 1;
	e->x.held = e->loop.n = 0;
	e->f.done = ll_block(e, "done");
	e->f.out = ll_block(e, "out");
	e->f.fault = ll_block(e, "fault");
	e->loop.again = p->turns ? ll_block(e, "again") : NULL;
	emit_rec_place(e);
}

static void emit_part(struct emit *e, struct part *p, u32 index)
{
	block begin, end;

	begin_part(e, p, index);
	p->fn = e->f.fn;
	begin = ll_block(e, "begin");
	end = ll_block(e, "end");
	if (p->turns)
		e->loop.heads = LLVMBuildSwitch(e->b, ll_load_now(e, place(e, 0), 8, false), begin,
					   e->p.inst->loops);
	else
		ll_br(e, begin);
	ll_at(e, begin);
	emit_statements(e, p->first);
	ll_br(e, end);
	end_part(e, end);
	e->loop.again = NULL;
}

struct part *emit_parts(struct emit *e)
{
	bool loops = weigh_turns(e->c, e->p.inst) > 0;
	struct part *first = NULL, **last = &first;
	u32 n = 0;

	for (struct node *next = e->p.inst->body; next; last = &(*last)->next, n++) {
		struct part *p = *last = ARENA_NEW(e->c->arena, struct part);
		struct node *end;

		p->first = next;
		end = weigh_part(next, &p->turns);
		next = end->next;
		p->turns &= loops;
		end->next = NULL;        /* while it is emitted */
		emit_part(e, p, n);
		end->next = next;
	}
	return first;
}

static void check_turns(struct emit *e, val turns)
{
	val most = ll_num(e, weigh_turns(e->c, e->p.inst));

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, turns, most, ""), DTX_FAULT_LOOP, most);
}

static val call_fn(struct emit *e, const struct part *p, val *args, u32 n)
{
	return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(p->fn), p->fn, args, n, "");
}

/* What bpf_loop() does, for kernels without it: the verifier follows each turn. */
static val call_turns(struct emit *e, const struct part *p, u64 n)
{
	block head = ll_block(e, "head"), turn = ll_block(e, "turn"), next = ll_block(e, "next");
	block end = ll_block(e, "end");
	val done = ll_alloca(e, e->i64, "turns"), args[] = { NULL, e->f.frame };

	link_keep_order();
	ll_store(e, ll_num(e, 0), done, 8);
	ll_br(e, head);
	ll_at(e, head);
	args[0] = ll_load(e, done, 8, false);
	ll_if(e, LLVMBuildICmp(e->b, LLVMIntULT, args[0], ll_num(e, n), ""), turn, end);
	ll_at(e, turn);
	ll_store(e, ll_call(e, "dtx_opaque", LLVMBuildAdd(e->b, args[0], ll_num(e, 1), "")), done,
		 8);
	ll_if(e, call_fn(e, p, args, 2), end, next);
	ll_at(e, next);
	ll_call_n(e, "dtx_meet", NULL, 0);
	ll_br(e, head);
	ll_at(e, end);
	return ll_load(e, done, 8, false);
}

/* On to `next`, or to where the clause ends. */
static void after_part(struct emit *e, block next)
{
	val how = LLVMBuildSwitch(e->b, ll_load_now(e, place(e, 0), 8, false), next, 2);

	LLVMAddCase(how, ll_num(e, RETURNED), e->f.done);
	LLVMAddCase(how, ll_num(e, LEFT), e->f.out);
}

static void call_part(struct emit *e, const struct part *p)
{
	block left = ll_block(e, "left"), next = ll_block(e, "next");
	val v = NULL;

	if (p->turns) {
		u64 n = weigh_turns(e->c, e->p.inst) + 1;

		ll_store(e, ll_num(e, 0), place(e, 0), 8);
		forget_turn(e);
		v = weigh_kernel_loops(e->c, e->p.inst)
			    ? ll_call(e, "dtx_turns", ll_num(e, n), p->fn, e->f.frame)
			    : call_turns(e, p, n);
		ll_br(e, left);
	} else {
		ll_if(e, call_fn(e, p, &e->f.frame, 1), left, next);
	}
	ll_at(e, left);
	emit_pass_fault(e);
	if (p->turns)
		check_turns(e, v);
	after_part(e, next);
	ll_at(e, next);
}

void emit_parts_call(struct emit *e, const struct part *parts)
{
	for (; parts; parts = parts->next)
		call_part(e, parts);
	ll_br(e, e->f.done);
}

/* ---- loops ------------------------------------------------------------------------------- */

/* Hidden from the optimiser, which would unroll the loop or count in another way. */
static void count(struct emit *e, const struct node *n, val turns)
{
	val t = e->loop.again ? ll_load_now(e, turns, 8, false) : ll_load(e, turns, 8, false);

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, t, ll_num(e, n->value), ""),
		      DTX_FAULT_LOOP, ll_num(e, n->value));
	t = LLVMBuildAdd(e->b, t, ll_num(e, 1), "");
	ll_store(e, ll_call(e, "dtx_opaque", t), turns, 8);
}

/* The loop's number, if its turns are calls; else 0. */
static u32 begin_loop(struct emit *e, block head)
{
	if (!e->loop.again) {
		link_keep_order();
		return 0;
	}
	LLVMAddCase(e->loop.heads, ll_num(e, ++e->loop.n), head);
	return e->loop.n;
}

static void turn_back(struct emit *e, u32 loop, block head)
{
	if (!loop) {
		ll_br(e, head);
		return;
	}
	ll_store(e, ll_num(e, loop), place(e, 0), 8);
	ll_br(e, e->loop.again);
}

void emit_loop(struct emit *e, const struct node *n)
{
	block head = ll_block(e, "loop"), body = ll_block(e, "body"), turn = ll_block(e, "turn");
	block end = ll_block(e, "end"), outer_turn = e->loop.turn, outer_leave = e->loop.leave;
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
	e->loop.turn = turn;
	e->loop.leave = end;
	emit_statements(e, n->b);
	e->loop.turn = outer_turn;
	e->loop.leave = outer_leave;
	ll_br(e, turn);
	ll_at(e, turn);
	if (!loop)
		ll_call_n(e, "dtx_meet", NULL, 0);
	emit_statements(e, n->c);
	turn_back(e, loop, head);
	ll_at(e, end);
	if (!loop)
		ll_call_n(e, "dtx_meet", NULL, 0);
}

/* Code after a jump is never reached: it gets a block of its own. */
void emit_goto(struct emit *e, const struct node *n)
{
	ll_br(e, n->op == 'b' ? e->loop.leave : n->op == 'c' ? e->loop.turn : e->f.done);
	ll_at(e, ll_block(e, "unreached"));
}

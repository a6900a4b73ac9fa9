/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_entry.c - registers at the entry of functions (plan/entry.c): the program that keeps them,
 * and how clauses find them.
 */
#include <linux/bpf.h>

#include <dtx/arch.h>

#include "compiler/emit/emit-private.h"

/* Those of the plan have their words in this order; n: of all, before register `word`. */
static u32 entry_count(const struct emit *e, u32 word)
{
	return (u32)__builtin_popcount(e->c->plan->entry_regs & ((1ull << word) - 1));
}

#define ALL_REGISTERS 32

void emit_entry_map(struct emit *e)
{
	struct img_map *m;

	if (!e->c->plan->entry_regs)
		return;
	m = emit_new_map(e, "dtx_calls", "calls");
	m->type = BPF_MAP_TYPE_LRU_HASH;
	m->key_size = sizeof(struct dtx_call);
	m->val_size = 8 * entry_count(e, ALL_REGISTERS);
	m->max_entries = DTX_CALLS_MAX;
}

static void entry_offsets(struct emit *e)
{
	u64 off[] = {
		emit_koff(e, "task_struct", "group_leader"),
		emit_koff(e, "task_struct", "start_time"),
	};

	_Static_assert(sizeof(off) == sizeof(struct dtx_procoff), "offsets of a process");
	ll_constants(e, "dtx_procoff", off, ARRAY_SIZE(off));
}

/* Where the function begins: user code says it, for the kernel it is a number (dtx_arg.entry). */
static val entry_of_probe(struct emit *e, block quit)
{
	if (!e->p.prog->probes[0]->place.entry)
		return emit_ctx(e, ARCH_REG_IP, 8, false);
	emit_ident(e, quit);
	return emit_probe_entry(e);
}

void emit_entry_program(struct emit *e, struct prog *p)
{
	const struct img_prog *ip = &e->c->img->progs[p->index];
	u32 regs = e->c->plan->entry_regs;
	block quit;
	val room;

	e->p.prog = p;
	e->p.group = &p->groups[0];
	e->p.large = false;
	entry_offsets(e);
	emit_begin_program(e, ip->name, ip->section);
	quit = ll_block(e, "quit");
	emit_frame(e, LLVMGetParam(e->f.fn, 0));
	emit_filter_process(e, quit);
	room = ll_alloca(e, LLVMArrayType2(e->i64, entry_count(e, ALL_REGISTERS)), "regs");
	for (u32 i = 0; i < ALL_REGISTERS; i++)
		if (regs >> i & 1)
			ll_store(e, emit_ctx(e, 8 * i, 8, false),
				 ll_off(e, room, 8 * entry_count(e, i)), 8);
	ll_call(e, "dtx_entry_save", entry_of_probe(e, quit),
		LLVMBuildAdd(e->b, emit_ctx(e, ARCH_REG_SP, 8, false), ll_num(e, ARCH_ENTRY_CFA),
			     ""), room);
	ll_br(e, quit);
	ll_at(e, quit);
	LLVMBuildRet(e->b, ll_num32(e, 0));
}

val emit_entry_value(struct emit *e, val entry, val cfa, u32 off)
{
	val v;

	entry_offsets(e);
	v = ll_call(e, "dtx_entry_value", e->f.frame, entry, cfa,
		    ll_num(e, entry_count(e, off / 8)));
	emit_check_fault(e);
	return v;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_entry.c - the program that keeps registers at the entry of functions (plan/entry.c), for the
 * steps that ask for them (emit_steps.c).
 */
#include <linux/bpf.h>

#include <dtx/arch.h>
#include <dtx/tables/maprole.h>

#include "compiler/emit/emit-private.h"

#define ALL_REGISTERS 32

void emit_entry_map(struct emit *e)
{
	struct img_map *m;

	if (!e->c->plan->entry_regs)
		return;
	m = emit_new_map(e, ROLE_calls);
	m->val_size = 8 * emit_entry_count(e, ALL_REGISTERS);
	m->max_entries = DTX_CALLS_MAX;
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
	emit_entry_offsets(e);
	emit_begin_program(e, ip->name, ip->section);
	quit = ll_block(e, "quit");
	emit_frame(e, LLVMGetParam(e->f.fn, 0));
	emit_filter_process(e, quit);
	room = ll_alloca(e, LLVMArrayType2(e->i64, emit_entry_count(e, ALL_REGISTERS)), "regs");
	for (u32 i = 0; i < ALL_REGISTERS; i++)
		if (regs >> i & 1)
			ll_store(e, emit_ctx(e, 8 * i, 8, false),
				 ll_off(e, room, 8 * emit_entry_count(e, i)), 8);
	ll_call(e, "dtx_entry_save", entry_of_probe(e, quit),
		LLVMBuildAdd(e->b, emit_ctx(e, ARCH_REG_SP, 8, false), ll_num(e, ARCH_ENTRY_CFA),
			     ""), room);
	ll_br(e, quit);
	ll_at(e, quit);
	LLVMBuildRet(e->b, ll_num32(e, 0));
}


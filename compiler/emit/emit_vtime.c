/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_vtime.c - what vtimestamp (emit_call.c) needs beside the clauses.  It is the CPU time that
 * the scheduler had booked to the thread when it began to run, and what passed since.
 *
 * The scheduler books at switches and at ticks, by a clock that programs cannot read.  So a program
 * beside those of the manifest notes at each switch which thread begins to run, when, and with
 * what CPU time (bpf/time.bpf.c).
 */
#include <linux/bpf.h>

#include <dtx/tables/maprole.h>

#include "compiler/emit/emit-private.h"

void emit_vtime_map(struct emit *e)
{
	struct img_map *m;

	if (!e->c->uses_vtime)
		return;
	m = emit_new_map(e, ROLE_vtime);
	m->max_entries = 1;
}

void emit_vtime_program(struct emit *e)
{
	u32 off;

	if (!e->c->uses_vtime || !e->c->bprogs || !emit_vtime_sum(e, &off))
		return;
	e->p.prog = e->c->bprogs;
	emit_begin_program(e, "dtx_vtime_prog", "dtx/vtime");
	emit_frame(e, LLVMGetParam(e->f.fn, 0));
	ll_call(e, "dtx_vtime_switch", e->f.frame, ll_num(e, off));
	LLVMBuildRet(e->b, ll_num32(e, 0));
}

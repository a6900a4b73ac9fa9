/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_gate.c - the flags that all clauses of a program wait for: a program whose flags are not
 * set ends before its first clause.
 */
#include "compiler/emit/emit-private.h"

/* The n-th flag of the program's clauses that no clause before has; NULL: that was all. */
static struct sym *nth_gate(const struct emit *e, u32 n)
{
	struct sym *seen[DTX_GATES_MAX + 1], *s;
	u32 nseen = 0;

	for (u32 i = 0; i < e->p.prog->ngroups; i++)
		for (u32 k = 0; k < e->p.prog->groups[i].ninsts; k++) {
			bool old = false;

			s = e->p.prog->groups[i].insts[k]->gate;
			for (u32 j = 0; j < nseen; j++)
				old |= seen[j] == s;
			if (old)
				continue;
			if (nseen == n)
				return s;
			seen[nseen++] = s;
		}
	return NULL;
}

/* Is one of them set, by any thread or by this one? */
static val any_gate(struct emit *e, bool anywhere)
{
	val any = ll_num(e, 0), one;
	struct sym *s;

	for (u32 i = 0; (s = nth_gate(e, i)); i++) {
		struct node n = { .kind = N_VAR, .sym = s, .type = s->type };

		one = anywhere && s->gate ? ll_call(e, "dtx_gate_open", ll_num(e, s->gate - 1))
					  : emit_var_get(e, &n);
		any = LLVMBuildOr(e->b, any, one, "");
	}
	return any;
}

void emit_gate(struct emit *e, block quit)
{
	if (!gate_of_prog(e->p.prog))
		return;
	ll_only_if(e, any_gate(e, true), quit);
	ll_only_if(e, any_gate(e, false), quit);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traceiter.c - the function between a tracepoint and its programs.
 *
 * A tracepoint that has one function calls it; one that has several calls __traceiter_EVENT, which
 * calls each (include/linux/tracepoint.h).  So the frame is there or not as others come and go: the
 * program looks for a place in that function, whose address the loader finds.  The call in front
 * of the tracepoint says less: it is rewritten while others come and go.
 *
 * Some kernels begin the walk in the program, others in the kernel's code that calls it.  Where one
 * ends and the other begins is known from symbols alone: KASLR moves the kernel to where programs
 * are at other boots.
 */
#include <string.h>

#include <dtx/progkind.h>

#include "compiler/plan/plan.h"

#define TEXT_BEGIN "_stext"
#define TEXT_END   "_etext"

static const char *traceiter_name(struct comp *c, const struct dtx_probe *p)
{
	if (!kind_is(p->prog.kind, KIND_TRACEPOINT) || !p->place.target)
		return NULL;
	return arena_printf(c->arena, "__traceiter_%s", p->place.target);
}

void kernel_text_want(struct comp *c)
{
	if (kernel_text_size(c))
		check_ksym_index(c, "", TEXT_BEGIN);
}

void traceiter_want(struct comp *c, const struct inst *inst)
{
	for (u32 i = 0; i < inst->nprobes; i++) {
		const char *name = traceiter_name(c, inst->probes[i]);

		if (name && env_ksym_size(c->env, "", name))
			check_ksym_index(c, "", name);
		if (name)
			kernel_text_want(c);
	}
}

/* From 1; 0: it is not wanted. */
static u32 ksym_place(const struct comp *c, const char *name)
{
	for (u32 i = 0; i < c->img->nksyms; i++)
		if (!strcmp(c->img->ksyms[i].name, name))
			return i + 1;
	return 0;
}

u32 traceiter_of(struct comp *c, const struct dtx_probe *p)
{
	const char *name = traceiter_name(c, p);

	return name ? ksym_place(c, name) : 0;
}

u32 kernel_text_of(struct comp *c)
{
	return ksym_place(c, TEXT_BEGIN);
}

u64 kernel_text_size(struct comp *c)
{
	u64 begin = env_ksym(c->env, "", TEXT_BEGIN), end = env_ksym(c->env, "", TEXT_END);

	return begin && end > begin ? end - begin : 0;
}

u32 traceiter_size(struct comp *c, const struct dtx_probe *p)
{
	u32 place = traceiter_of(c, p);

	return place ? env_ksym_size(c->env, "", c->img->ksyms[place - 1].name) : 0;
}

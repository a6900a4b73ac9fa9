/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kcaller.c - the caller of a kernel function in which a kprobe fires, where a call leaves the
 * return address in a register: the kernel's walk begins with the function, and goes on with the
 * newest frame.  At the entry that is the caller's, which has the address in the caller's caller
 * (ARCH_ENTRY_WALK).  Further on the function may have made its own, or not yet, or no more.
 *
 * A return probe on the same function may have put the address of the kernel's trampoline there
 * already: the kernel runs the probe first that was made last.  What was in the register before is
 * then in the list of returns of the thread, of which the newest comes first.
 */
#include <string.h>

#include <dtx/arch.h>
#include <dtx/progkind.h>

#include "compiler/plan/plan.h"

static const struct kreturns forms[] = {
	{ "__kretprobe_trampoline", "kretprobe_instances", "kretprobe_instance" },
	{ "arch_rethook_trampoline", "rethooks", "rethook_node" },
};

static bool by_kprobe(const struct dtx_probe *p)
{
	const struct dtx_probe *place = p->stable ? p->stable->base : p;

	return !ARCH_ENTRY_WALK && kind_is(p->prog.kind, KIND_KERNEL) &&
	       strcmp(place->name, "return");
}

bool kcaller_unseen(const struct dtx_probe *p)
{
	return by_kprobe(p) && !p->place.off;
}

static void warn_inside(struct comp *c, const struct dtx_probe *p, struct range at)
{
	struct diag *d = diag_warn(&c->env->diags, DIAG_NONE, at,
				   "inside %s, at +0x%llx, its caller may be missing: stack() then "
				   "leaves one frame out, and 'caller' is the caller's caller",
				   p->func, (unsigned long long)p->place.off);

	diag_hint(&c->env->diags, d, "the kernel sees the caller where the function has made its "
		  "frame; at the entry it is always there");
	c->plan->kcaller_warned = true;
}

/* The trampoline is a symbol, whose address the loader finds. */
void kcaller_want(struct comp *c, const struct inst *inst, struct range at)
{
	bool any = false;
	u32 off;

	for (u32 i = 0; i < inst->nprobes && !c->plan->kcaller_warned; i++)
		if (by_kprobe(inst->probes[i]) && inst->probes[i]->place.off)
			warn_inside(c, inst->probes[i], at);

	for (u32 i = 0; i < c->nprobes; i++)
		any |= kcaller_unseen(c->probes[i]);
	for (u32 i = 0; any && !c->plan->kreturns && i < ARRAY_SIZE(forms); i++) {
		if (!env_ksym(c->env, "", forms[i].trampoline) ||
		    !member_of_kernel(c, "task_struct", forms[i].list, &off, NULL))
			continue;
		c->plan->kreturns = &forms[i];
		c->plan->ktrampoline = check_ksym_index(c, "", forms[i].trampoline);
	}
}

/* ---- kernels before 5.16 --------------------------------------------------------------------- */

/*
 * The kernel's walk ends at a return address that a return probe has replaced: the trampoline has
 * no unwind information.  bpf/stack.bpf.c finds the address that was there; what is beyond is not
 * known.  Such a kernel has the trampoline by its old name.  Up to 5.10 it keeps what it replaced
 * in a table by threads, then in a list of each thread.
 */
#define OLD_TRAMPOLINE "kretprobe_trampoline"
#define OLD_TABLE      "kretprobe_inst_table"

static bool find_members(struct comp *c, struct kends *k)
{
	const char *type = "kretprobe_instance";
	u32 link, task;

	k->in_task = member_of_kernel(c, "task_struct", "kretprobe_instances", &k->list, NULL);
	if (!member_of_kernel(c, type, k->in_task ? "llist" : "hlist", &link, NULL) ||
	    !member_of_kernel(c, type, "ret_addr", &k->address, NULL))
		return false;
	k->address -= link;
	if (k->in_task)
		return true;
	if (!member_of_kernel(c, type, "task", &task, NULL))
		return false;
	k->task = task - link;
	return true;
}

void kends_want(struct comp *c)
{
	struct kends k = { 0 };

	if (c->plan->kends.size || !find_members(c, &k) || !env_ksym(c->env, "", OLD_TRAMPOLINE) ||
	    (!k.in_task && !env_ksym(c->env, "", OLD_TABLE)))
		return;
	k.size = env_ksym_size(c->env, "", OLD_TRAMPOLINE);
	k.trampoline = check_ksym_index(c, "", OLD_TRAMPOLINE);
	k.table = k.in_task ? 0 : check_ksym_index(c, "", OLD_TABLE);
	c->plan->kends = k;
}

/* ---- trampolines of BPF ---------------------------------------------------------------------- */

static u32 known_symbol(struct comp *c, const char *name)
{
	return env_ksym(c->env, "", name) ? check_ksym_index(c, "", name) + 1 : 0;
}

/* A kernel that has none of them spares looking for them. */
void made_want(struct comp *c, bool trampolines)
{
	struct made *m = &c->plan->made;
	u32 off;

	if (m->wanted)
		return;
	m->wanted = true;
	m->blind = trampolines;
	if (!trampolines ||
	    !member_of_kernel(c, "bpf_ksym", "tnode", &off, NULL) ||
	    !member_of_kernel(c, "latch_tree_root", "tree", &off, NULL))
		return;
	kernel_text_want(c);
	m->tree = known_symbol(c, "bpf_tree");
	m->blind = !m->tree;
	m->entry = m->tree ? known_symbol(c, "ftrace_caller") : 0;
	m->entry_regs = m->tree ? known_symbol(c, "ftrace_regs_caller") : 0;
}

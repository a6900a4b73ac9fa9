/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_thread.c - what the kernel keeps of a thread: its task, numbers, and the registers of its
 * program.
 */
#include <dtx/arch.h>

#include "compiler/emit/emit-private.h"

/* ---- the task ------------------------------------------------------------------------------- */

struct place emit_task(struct emit *e)
{
	struct place at = { memory_of_task(e->c), NULL, 0 };

	at.p = ll_ext(e, ll_call_n(e, at.in == MEM_TRUSTED ? "dtx_task_btf" : "dtx_task", NULL, 0),
		      false);
	return at;
}

/* task->path[0]->path[1]…, a number; 0 if this kernel has no such member. */
val emit_task_num(struct emit *e, const char *const *path, bool is_signed)
{
	struct place at = emit_task(e);
	struct type t = { .kind = T_INT, .is_signed = is_signed };
	u32 size = 8;

	for (; *path; path += 2) {
		if (!member_of_kernel(e->c, path[0], path[1], &at.off, &size))
			return ll_num(e, 0);
		t.size = size;
		at.p = emit_load(e, &at, &t);
		at.off = 0;
	}
	return at.p;
}

/* Where a task has its numbers: for filters, and if dtx runs in a pid namespace. */
void emit_task_offsets(struct emit *e)
{
	u64 ns = emit_koff(e, "pid_namespace", "ns");
	u64 off[] = {
		emit_koff(e, "task_struct", "pid"),
		emit_koff(e, "task_struct", "tgid"),
		emit_koff(e, "task_struct", "group_leader"),
		emit_koff(e, "task_struct", "thread_pid"),
		emit_koff(e, "pid", "numbers"),
		16 /* struct upid: int, pointer */,
		emit_koff(e, "upid", "nr"),
		emit_koff(e, "upid", "ns"),
		ns + emit_koff(e, "ns_common", "inum"),
	};

	_Static_assert(sizeof(off) == sizeof(struct dtx_taskoff), "offsets of a task");
	ll_constants(e, "dtx_taskoff", off, ARRAY_SIZE(off));
}

/* ---- its registers in user mode ----------------------------------------------------------- */

/* PAGE_SIZE of the kernel, as its type of a ring buffer has it (kernel/bpf/ringbuf.c). */
static u32 kernel_page(struct emit *e)
{
	u32 first = emit_koff(e, "bpf_ringbuf", "consumer_pos");
	u32 second = emit_koff(e, "bpf_ringbuf", "producer_pos");

	return second > first ? second - first : 4096;
}

u32 emit_page(struct emit *e)
{
	return ARCH_PAGE ? ARCH_PAGE : kernel_page(e);
}

u32 emit_user_regs(struct emit *e)
{
	struct type *regs = scope_kernel_type(e->c, T_STRUCT, "pt_regs");
	u32 pad = scope_kernel_type(e->c, T_STRUCT, ARCH_PAD_TYPE) ? ARCH_PAD_BYTES : 0;

	return regs ? ARCH_KERNEL_STACK(emit_page(e)) - pad - type_size(e->c, regs) : 0;
}

val emit_kernel_word(struct emit *e, val addr, u32 off, u32 bytes)
{
	struct place at = { MEM_KERNEL, addr, off };
	const struct type *t = bytes == 2 ? &ty_ushort : bytes == 4 ? &ty_uint : &ty_ulong;

	return emit_load(e, &at, t);
}

/* One that is not saved when the kernel is entered: what the thread keeps of it, or 0. */
static val kept_reg(struct emit *e, u64 i)
{
	static const char *const members[] = ARCH_UREGS_KEPT;
	u32 thread, off, size;

	if (i >= ARRAY_SIZE(members) ||
	    !member_of_kernel(e->c, "task_struct", "thread", &thread, NULL) ||
	    !member_of_kernel(e->c, "thread_struct", members[i], &off, &size))
		return ll_num(e, 0);
	return emit_kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false), thread + off, size);
}

val emit_user_reg(struct emit *e, u64 i)
{
	struct type *regs = scope_kernel_type(e->c, T_STRUCT, "pt_regs");
	u32 stack, size;
	val base;

	if (!regs || !member_of_kernel(e->c, "task_struct", "stack", &stack, NULL))
		return ll_num(e, 0);
	size = type_size(e->c, regs);
	if (i >= size / 8)
		return kept_reg(e, i - size / 8);
	base = emit_kernel_word(e, ll_ext(e, ll_call(e, "dtx_task", ), false), stack, 8);
	return emit_kernel_word(e, base, emit_user_regs(e) + 8 * i, 8);
}

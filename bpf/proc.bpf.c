/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * proc.bpf.c - the current process, thread and CPU.
 */
#include "dtx.bpf.h"

extern char dtx_firsts[];

#define PIDNS_DEPTH  8           /* levels searched; the kernel allows 32 */

/*
 * Number in dtx's pid namespace of the process of `task` (which: 0), of the thread itself (1), or
 * of a struct pid (2); 0: none there.  It is searched in the list of numbers, one per enclosing
 * namespace.
 */
DTX_GLOBAL u64 dtx_g_number(u64 task, u64 which)
{
	const struct dtx_taskoff *o = &dtx_taskoff;
	u64 pid = task, ns;
	u32 n = 0, inum;

	if (which == 0)
		bpf_probe_read_kernel(&task, 8, (void *)(task + o->leader));
	if (which != 2)
		bpf_probe_read_kernel(&pid, 8, (void *)(task + o->thread_pid));
	for (u32 i = 0; i < PIDNS_DEPTH; i++) {
		u64 upid = pid + o->numbers + i * o->upid_size;

		ns = inum = 0;
		bpf_probe_read_kernel(&ns, 8, (void *)(upid + o->upid_ns));
		bpf_probe_read_kernel(&inum, 4, (void *)(ns + o->ns_inum));
		if (dtx_opt_pidns && inum != dtx_ctl.pidns)   /* else the initial namespace, which
							       * has all */
			continue;
		bpf_probe_read_kernel(&n, 4, (void *)(upid + o->upid_nr));
		return n;
	}
	return 0;
}

DTX_FN u64 dtx___own_pid(struct dtx_mst *m)
{
	return dtx_ctl.self_pid;
}

DTX_FN u64 dtx___target_pid(struct dtx_mst *m)
{
	return dtx_ctl.target_pid;
}

DTX_FN s32 dtx_pid(struct dtx_mst *m)
{
	u64 pid;

	if (dtx_opt_pidns)
		return dtx_g_number(bpf_get_current_task(), 0);
	pid = bpf_get_current_pid_tgid() >> 32;
	asm("" : "+r"(pid)); /* otherwise a comparison masks both sides with 64-bit constants */
	return pid;
}

/* The number of the process, and in the upper half DTX_EXEC_OF() it.  mm, start_stack: offsets in
 * struct task_struct and struct mm_struct. */
DTX_FN u64 dtx_process(struct dtx_mst *m, u64 mm, u64 start_stack)
{
	u64 space = 0, start = 0;

	bpf_probe_read_kernel(&space, 8, (void *)(bpf_get_current_task() + mm));
	if (space)
		bpf_probe_read_kernel(&start, 8, (void *)(space + start_stack));
	return (u32)dtx_pid(m) | (u64)DTX_EXEC_OF(start) << 32;
}

DTX_FN s32 dtx_tid(struct dtx_mst *m)
{
	return dtx_opt_pidns ? dtx_g_number(bpf_get_current_task(), 1) : bpf_get_current_pid_tgid();
}

DTX_FN u32 dtx_uid(struct dtx_mst *m)
{
	return bpf_get_current_uid_gid();
}

DTX_FN u32 dtx_gid(struct dtx_mst *m)
{
	return bpf_get_current_uid_gid() >> 32;
}

DTX_FN s32 dtx_cpu(struct dtx_mst *m)
{
	return cpu_number();
}

DTX_FN u32 dtx_numaid(struct dtx_mst *m)
{
	return bpf_get_numa_node_id();
}

DTX_FN u64 dtx___cgroup(struct dtx_mst *m)
{
	return bpf_get_current_cgroup_id();
}

/* DTX_COMM_LEN bytes at out, zero-padded (kernels before 6.2 leave the rest as it was). */
DTX_FN void dtx_execname(struct dtx_mst *m, char *out)
{
	((u64 *)out)[0] = ((u64 *)out)[1] = 0;
	bpf_get_current_comm(out, DTX_COMM_LEN);
}

/* Signals that the kernel refuses (a kernel thread, no such number) have no effect. */
DTX_FN void dtx_raise(struct dtx_mst *m, s32 signal)
{
	bpf_send_signal(signal);
}

DTX_FN void dtx___raise_thread(struct dtx_mst *m, s32 signal)
{
	bpf_send_signal_thread(signal);
}

DTX_FN void dtx_stop(struct dtx_mst *m)
{
	bpf_send_signal(19 /* SIGSTOP */);
}

/* The current task as the verifier knows it, and as a plain address. */
DTX_FN void *dtx_task_btf(void)
{
	return bpf_get_current_task_btf();
}

DTX_FN u64 dtx_task(void)
{
	return bpf_get_current_task();
}

DTX_FN u64 dtx_cookie(void *ctx)
{
	return bpf_get_attach_cookie(ctx);
}

/*
 * Several threads may ask at once, on several CPUs: the map decides.  The answer stays the same
 * for each clause that asks.
 */
DTX_FN s32 dtx___first(struct dtx_mst *m, u64 object, u64 began, u64 who)
{
	struct dtx_first k = { object, began };
	u64 *first;

	bpf_map_update_elem(dtx_firsts, &k, &who, BPF_NOEXIST);
	first = bpf_map_lookup_elem(dtx_firsts, &k);
	return !first || *first == who;
}

DTX_FN s32 dtx___note(struct dtx_mst *m, u64 object, u64 which, u64 value)
{
	struct dtx_first k = { object, which };

	return bpf_map_update_elem(dtx_firsts, &k, &value, BPF_ANY);
}

DTX_FN u64 dtx___noted(struct dtx_mst *m, u64 object, u64 which, u64 otherwise)
{
	struct dtx_first k = { object, which };
	u64 *value = bpf_map_lookup_elem(dtx_firsts, &k);

	return value ? *value : otherwise;
}

/* 0x80 in each byte that is zero. */
static __attribute__((always_inline)) u64 dtx_zero_bytes(u64 v)
{
	const u64 low = 0x7f7f7f7f7f7f7f7f;

	return ~(((v & low) + low) | v | low);
}

/*
 * Arguments of the current process, which lie one after the other from start to end, as
 * one text of at most max bytes; its name when the page is not in memory. The NULs between them
 * become blanks, eight bytes at a time and without a branch, so that the verifier follows one way.
 */
DTX_FN void dtx_argtext(char *to, u32 max, u64 start, u64 end)
{
	u64 len = end - start, *words = (u64 *)to;
	char last;

	words[0] = words[1] = 0;
	if (len > max - 1)
		len = max - 1;
	asm volatile("" : "+r"(len));
	if (!len || len > max - 1 || bpf_probe_read_user(to, len, (void *)start)) {
		bpf_get_current_comm(to, DTX_COMM_LEN);
		return;
	}
	last = to[len - 1];
	for (u32 i = 0; i < (max + 7) / 8; i++)
		words[i] |= dtx_zero_bytes(words[i]) >> 2;
	to[len - 1] = last;
	to[len] = 0;
}

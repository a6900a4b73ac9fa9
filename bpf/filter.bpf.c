/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * filter.bpf.c - which processes are traced: -p with --follow, --cgroup,
 * --comm.
 *
 * A process is identified by its number in dtx's pid namespace (dtx_g_number).
 * Why: docs/decisions/16-filters.md
 */
#include "dtx.bpf.h"

extern char dtx_follow[], dtx_cgroup[];

DTX_FN bool dtx_filter_pid(void)
{
	if (dtx_opt_pidns)
		return dtx_g_number(bpf_get_current_task(), 0) == dtx_ctl.target_pid;
	return bpf_get_current_pid_tgid() >> 32 == dtx_ctl.target_pid;
}

/*
 * The set holds numbers of the initial namespace.  Numbers that the user side has from
 * another one are marked by DTX_FOLLOW_NS, until the process is seen for the first time.
 */
DTX_FN bool dtx_filter_follow(void)
{
	u32 pid = bpf_get_current_pid_tgid() >> 32, here;
	u8 one = 1;

	if (bpf_map_lookup_elem(dtx_follow, &pid))
		return true;
	if (!dtx_opt_pidns)
		return false;
	here = dtx_g_number(bpf_get_current_task(), 0) | DTX_FOLLOW_NS;
	if (bpf_map_delete_elem(dtx_follow, &here))
		return false;
	bpf_map_update_elem(dtx_follow, &pid, &one, 0);
	return true;
}

DTX_FN bool dtx_filter_cgroup(void)
{
	return bpf_current_task_under_cgroup(dtx_cgroup, 0) == 1;
}

/* The 16 bytes of the name as two numbers. */
DTX_FN bool dtx_filter_comm(u64 a, u64 b)
{
	u64 comm[2] = { 0, 0 };

	bpf_get_current_comm(comm, sizeof(comm));
	return comm[0] == a && comm[1] == b;
}

/* ---- the set of processes that are followed --------------------------------------- */

/* sched_process_fork(parent, child), before the child runs. */
DTX_FN void dtx_follow_fork(struct dtx_mst *m)
{
	u64 child = ((u64 *)m->ctx)[1];
	u32 pid = 0;
	u8 one = 1;

	if (!dtx_filter_follow())
		return;
	bpf_probe_read_kernel(&pid, 4, (void *)(child + dtx_taskoff.tgid));
	if (bpf_map_update_elem(dtx_follow, &pid, &one, 0))
		dtx_drop(m, DTX_DROP_DYNVAR);
}

/* sched_process_free(task): a process ends with its first thread. */
DTX_FN void dtx_follow_free(struct dtx_mst *m)
{
	u64 task = *(u64 *)m->ctx;
	u32 pid = 0, tgid = 0;

	bpf_probe_read_kernel(&pid, 4, (void *)(task + dtx_taskoff.pid));
	bpf_probe_read_kernel(&tgid, 4, (void *)(task + dtx_taskoff.tgid));
	if (pid == tgid)
		bpf_map_delete_elem(dtx_follow, &tgid);
}

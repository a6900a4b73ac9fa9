/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * time.bpf.c - time stamps.  All clauses of a firing see the same time, except for the time of day.
 */
#include "dtx.bpf.h"

DTX_FN u64 dtx_timestamp(struct dtx_mst *m)
{
	if (!m->time)
		m->time = bpf_ktime_get_ns();
	return m->time;
}

DTX_FN u64 dtx_elapsed(struct dtx_mst *m)
{
	return dtx_timestamp(m) - dtx_ctl.start;
}

DTX_FN s64 dtx_walltimestamp(struct dtx_mst *m)
{
	return bpf_ktime_get_ns() + dtx_ctl.wall_offset;
}

DTX_FN u64 dtx___boottime(struct dtx_mst *m)
{
	return bpf_ktime_get_boot_ns();
}

DTX_FN u64 dtx___jiffies(struct dtx_mst *m)
{
	return bpf_jiffies64();
}

/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * fault.bpf.c - a clause that cannot continue sends a fault record.
 */
#include "dtx.bpf.h"

DTX_GLOBAL u64 dtx_g_fault(u64 prog, u64 probe, u64 site, u64 fault, u64 value)
{
	struct dtx_fault_rec r = {
		.rec = { DTX_SITE_FAULT, probe, cpu_number(), 0 },
		.site = site, .fault = fault, .value = value, .pc = -1,
	};

	if (bpf_ringbuf_output(dtx_ring, &r, sizeof(r), 0))
		drop_count(prog, probe, DTX_DROP_PRINCIPAL);
	return 0;
}

DTX_FN void dtx_fault(struct dtx_mst *m)
{
	dtx_g_fault(m->prog, m->probe, m->site, m->fault - 1, m->fault_val);
}

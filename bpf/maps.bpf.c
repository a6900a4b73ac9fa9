/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * maps.bpf.c - data shared by all programs; the linker leaves out unused ones.  The
 * maps themselves depend on the program and are made by compiler/emit/emit_map.c.
 */
#include "dtx.bpf.h"

/* Levels of scratch slots in use: one cache line per CPU. */
u64 dtx_nest[DTX_MAX_CPUS][8];

/* Threads that have a flag set which clauses wait for: compiler/plan/flag.c. */
u64 dtx_gates[DTX_GATES_MAX];

/* Stacks that are in their store, by hash: stack.bpf.c. */
u64 dtx_kept[DTX_KEPT];

/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's layouts of stacks. */
BEGIN { @[kstack(perf, 3)] = count(); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A block of settings is bpftrace's. */
config = { stack_mode=perf }
BEGIN { exit(0); }

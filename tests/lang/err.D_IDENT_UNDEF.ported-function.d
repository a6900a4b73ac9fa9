/* SPDX-License-Identifier: BSD-2-Clause */
/* A function of bpftrace as a variable that was never set: D does not know the name. */
BEGIN { trace(len); exit(0); }

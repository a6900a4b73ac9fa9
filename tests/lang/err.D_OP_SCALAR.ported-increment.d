/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace that counts. */
BEGIN { @x[tid]++; exit(0); }

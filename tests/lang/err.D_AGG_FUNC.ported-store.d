/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace that keeps a value. */
BEGIN { @t[tid] = nsecs; exit(0); }

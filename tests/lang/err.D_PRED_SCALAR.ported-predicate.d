/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace as a predicate. */
BEGIN { @t[tid] = count(); } BEGIN /@t[tid]/ { exit(0); }

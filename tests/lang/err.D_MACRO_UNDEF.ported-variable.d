/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's variables are those of the clause. */
BEGIN { $x = 1; exit($x); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* bpftrace's macro. */
macro f(a) { a + 1 }
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* print() of bpftrace takes any value. */
BEGIN { print("text"); exit(0); }

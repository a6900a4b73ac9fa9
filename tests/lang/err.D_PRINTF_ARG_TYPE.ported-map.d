/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace that is printed as a value. */
BEGIN { @x = count(); printf("%d", @x); exit(0); }

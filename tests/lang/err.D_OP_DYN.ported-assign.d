/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace that is read. */
BEGIN { @x = count(); y = @x; exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace that is compared. */
BEGIN { @x = count(); if (@x > 3) { exit(0); } }

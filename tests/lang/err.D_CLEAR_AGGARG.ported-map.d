/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of bpftrace, emptied at the end, that became an array. */
BEGIN { start[1] = 2; clear(start); exit(0); }

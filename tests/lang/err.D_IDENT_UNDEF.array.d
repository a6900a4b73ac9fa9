/* SPDX-License-Identifier: BSD-2-Clause */
/* An array that is read before it is written: how it is declared. */
BEGIN { if (birth[pid, execname, curthread] == 0) { birth[pid, execname, curthread] = timestamp; } exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* An array that is read and never assigned: how it is declared. */
BEGIN { if (birth[pid, execname, curthread] == 0) exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.system
// run: -qw
/* Commands run when their record is read, in the order of the output. */
BEGIN { printf("one\n"); system("echo %s %d", "two", 2); printf("three\n"); exit(0); }

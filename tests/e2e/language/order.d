/* SPDX-License-Identifier: BSD-2-Clause */
/* Clauses of one probe run in program order and see what earlier ones did. */
#pragma D option quiet
BEGIN { i = 1; }
BEGIN /i == 1/ { i = 2; printf("second\n"); }
BEGIN /i == 1/ { printf("never\n"); }
BEGIN, END { n++; }
BEGIN /i == 2/ { this->x = 5; printf("third\n"); }
BEGIN { printf("this %d\n", this->x); exit(3); }
BEGIN { printf("after exit\n"); }
END { printf("end %d\n", n); }
/* exit: 3 */

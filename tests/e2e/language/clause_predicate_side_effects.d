/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.8.3
/* Assignments in predicates count, also when the body does not run. */
#pragma D option quiet
int n;
BEGIN /n++ == 5/ { printf("never\n"); }
BEGIN /n++ == 1/ { printf("n %d\n", n); }
BEGIN /(this->x = n * 10)/ { printf("x %d\n", this->x); }
BEGIN /(n = 0)/ { printf("never\n"); }
BEGIN { printf("n %d\n", n); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* The same declaration twice is accepted, also after the use of another variable. */
#pragma D option quiet
int x;
string s;
int x;
string s;
self int t;
self int t;
BEGIN { x = 1; self->t = 2; printf("%d %d\n", x, self->t); exit(0); }

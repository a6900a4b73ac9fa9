/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.self
/* Clause-local variables are seen by the later clauses of the same firing. */
#pragma D option quiet
this int n; this string s; this char c;
BEGIN { this->n = 40; this->s = "text"; this->c = 0x141; }
BEGIN /this->n == 40/ { this->n += 2; }
BEGIN { printf("%d %s %c\n", this->n, this->s, this->c); exit(0); }

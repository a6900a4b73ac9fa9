/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread-local associative array. */
#pragma D option quiet
self int n[string, int];
BEGIN { self->n["a", 1] = 1; self->n["a", 2] = 2; self->m[5] = "five"; }
BEGIN { printf("%d %d %d %s\n", self->n["a", 1], self->n["a", 2], self->n["b", 1], self->m[5]); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.self
/* Thread-local variables keep their values between clauses and probes. */
#pragma D option quiet
BEGIN { self->n = 7; self->s = "kept"; }
BEGIN { self->n++; }
BEGIN { printf("%d %s\n", self->n, self->s); self->n = 0; }
BEGIN { printf("%d %s\n", self->n, self->s); exit(0); }
END { printf("%s\n", self->s); }

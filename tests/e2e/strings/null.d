// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Comparing with NULL asks for the existence of a thread or array string.
self string s;
BEGIN { printf("%d ", self->s == NULL); self->s = "x"; printf("%d ", self->s == NULL); self->s = 0; printf("%d\n", self->s == NULL); exit(0); }

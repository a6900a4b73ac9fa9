// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Zero frees an element, which reads as zero again.
BEGIN { a["x"] = 5; self->b = 6; self->c[1] = 7; s[1] = "t"; a["x"] = 0; self->b = 0; self->c[1] = 0; s[1] = 0; printf("%d %d %d [%d]\n", a["x"], self->b, self->c[1], s[1] == NULL); exit(0); }

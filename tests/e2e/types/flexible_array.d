// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Flexible and zero-length arrays end a struct without adding to it.
struct v { int n; char data[]; }; struct z { int n; long data[0]; };
BEGIN { printf("%d %d %d\n", sizeof (struct v), offsetof(struct v, data), sizeof (struct z)); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* trunc without a number, or with 0, removes all; with more than there are nothing. */
#pragma D option quiet
BEGIN { @a["a"] = sum(1); @b["b"] = sum(4); @c["c"] = sum(3); exit(0); }
END { trunc(@a); trunc(@b, 0); trunc(@c, 10); printf("a:"); printa(@a); printf("b:"); printa(@b); printf("c:"); printa(@c); }

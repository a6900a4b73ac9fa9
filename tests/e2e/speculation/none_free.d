/* SPDX-License-Identifier: BSD-2-Clause */
/* Without a free speculation the id is 0, which is counted. */
#pragma D option quiet
BEGIN { a = speculation(); b = speculation(); printf("%d %d\n", a > 0, b); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* printa of an aggregation without entries prints the newline only; with a format nothing. */
#pragma D option quiet
BEGIN /0/ { @a["x"] = count(); }
BEGIN { printf("before"); printa(@a); printf("between"); printa("%s %@d\n", @a); printf("after\n"); exit(0); }

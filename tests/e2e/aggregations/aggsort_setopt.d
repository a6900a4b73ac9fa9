/* SPDX-License-Identifier: BSD-2-Clause */
/* The order can be changed while tracing. */
#pragma D option quiet
BEGIN { @["a"] = sum(2); @["b"] = sum(1); }
BEGIN { printa("%s", @); setopt("aggsortkey"); printa("%s", @); setopt("aggsortrev"); printa("%s", @); printf("\n"); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.trunc
/* trunc(n) keeps the n entries with the largest values. */
#pragma D option quiet
BEGIN { @["a"] = sum(1); @["b"] = sum(4); @["c"] = sum(3); @["d"] = sum(2); exit(0); }
END { trunc(@, 2); printa(@); }

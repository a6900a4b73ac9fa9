/* SPDX-License-Identifier: BSD-2-Clause */
/* clear() gives no value to an aggregation that has none: never updated, or truncated. */
#pragma D option quiet
tick-1h { @least = min(1); @most = max(1); }
BEGIN { clear(@least); clear(@most); printa(@least); printa(@most); }
BEGIN { @gone = max(1); trunc(@gone); }
BEGIN { clear(@gone); printa("gone %@d\n", @gone); printf("end\n"); exit(0); }

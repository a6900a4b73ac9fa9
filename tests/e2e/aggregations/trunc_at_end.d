/* SPDX-License-Identifier: BSD-2-Clause */
/* What trunc leaves is printed at the end. */
#pragma D option quiet
BEGIN { @["a"] = sum(1); @["b"] = sum(4); @["c"] = sum(3); @gone["x"] = count(); exit(0); }
END { trunc(@, 1); trunc(@gone); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* At the end aggregations are printed in the order of their definition, each sorted by value. */
#pragma D option quiet
BEGIN { @z["z1"] = sum(2); @z["z2"] = sum(1); @y = count(); }
BEGIN { @a["a1"] = sum(5); @z["z3"] = sum(-4); exit(0); }
END { @a["a2"] = sum(3); }

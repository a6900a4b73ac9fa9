/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x aggsortrev
/* At the end the aggregations are printed in reverse, too. */
BEGIN { @first = sum(1); @second["a"] = sum(2); @second["b"] = sum(3); @third = sum(4); exit(0); }

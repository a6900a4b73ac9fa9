/* SPDX-License-Identifier: BSD-2-Clause */
// row: agg.count
/* count: calls, also of several clauses and keys. */
#pragma D option quiet
BEGIN { @c["a"] = count(); @c["a"] = count(); @c["b"] = count(); }
BEGIN { @c["a"] = count(); exit(0); }

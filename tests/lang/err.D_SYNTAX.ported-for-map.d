/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of an aggregation cannot be gone through. */
BEGIN { @m[1] = count(); for (kv : @m) { trace(kv); } exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: printa.count
/* printa without a format: an empty line, then an entry per line, by value. */
#pragma D option quiet
BEGIN { @["two", 2] = sum(20); @["one", 1] = sum(10); printa(@); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* How many entries an aggregation has. */
BEGIN { @x[1] = count(); exit(len(@x)); }

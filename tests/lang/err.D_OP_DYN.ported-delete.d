/* SPDX-License-Identifier: BSD-2-Clause */
/* One entry of an aggregation. */
BEGIN { @x[1] = count(); delete(@x, 1); exit(0); }

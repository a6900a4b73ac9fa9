/* SPDX-License-Identifier: BSD-2-Clause */
/* One entry of an aggregation. */
BEGIN { @x[1] = count(); exit(has_key(@x, 1)); }

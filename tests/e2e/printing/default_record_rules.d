/* SPDX-License-Identifier: BSD-2-Clause */
/* An empty body prints a line; assignments and aggregations do not. */
/* filter: cpu */
BEGIN { }
BEGIN /0 == 1/ { }
BEGIN /1 == 1/ { }
BEGIN { @a = count(); }
BEGIN { x = strlen("abc"); y++; }
BEGIN { ; }
BEGIN { exit(0); }
END { }

/* SPDX-License-Identifier: BSD-2-Clause */
/* -n with a predicate; a description alone has an empty body. */
/* filter: cpu */
/* run: -n BEGIN -n 'BEGIN /1 > 2/ { trace(1); }' -n 'BEGIN /2 > 1/ { printf("yes"); }' */
BEGIN { exit(0); }

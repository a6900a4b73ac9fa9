/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.q
/* -q, -x quiet and the pragma are the same; the last word counts. */
/* filter: cpu */
/* run: -q */
#pragma D option quiet=no
BEGIN { printf("x"); exit(0); }

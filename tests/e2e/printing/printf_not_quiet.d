/* SPDX-License-Identifier: BSD-2-Clause */
/* In non-quiet mode printf follows the columns; its own newline adds an empty line. */
/* filter: cpu */
BEGIN { printf("one %d", 1); }
BEGIN { printf("two\n"); }
BEGIN { printf("a"); printf("b"); exit(0); }

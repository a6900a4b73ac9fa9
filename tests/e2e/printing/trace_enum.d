/* SPDX-License-Identifier: BSD-2-Clause */
/* An enumeration is traced as a 32-bit integer. */
/* filter: cpu */
enum e { A = 3 };
enum e v;
BEGIN { v = A; trace(v); trace(A); exit(0); }

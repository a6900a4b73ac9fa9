// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Enumerators count on from the last value and may use earlier ones.
enum e { A, B = 10, C, D = B + 5, E = -1, F };
BEGIN { printf("%d %d %d %d %d %d %d\n", A, B, C, D, E, F, sizeof (enum e)); exit(0); }

// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Only the chosen branch is evaluated.
BEGIN { n = 1; n ? x++ : y++; n == 2 ? x++ : y++; printf("%d %d\n", x, y); exit(0); }

// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Globals keep their value between firings.
tick-1ms { n++; } tick-1ms /n == 3/ { printf("%d\n", n); exit(0); }

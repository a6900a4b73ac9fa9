// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// An action in a branch that a constant discards is never looked at.
inline int OPT = 0;
BEGIN { OPT ? printf("no %d", "x") : 1; !OPT ? printf("yes\n") : 1; exit(0); }

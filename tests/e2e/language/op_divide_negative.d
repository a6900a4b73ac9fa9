// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Division truncates toward zero, the rest has the sign of the dividend.
BEGIN { printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2); i = -7; j = 2; printf("%d %d %d %d\n", i / j, i % j, -i / -j, -i % -j); exit(0); }

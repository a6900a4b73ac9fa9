/* SPDX-License-Identifier: BSD-2-Clause */
extern int f(int a, char *a);
BEGIN { exit(0); }

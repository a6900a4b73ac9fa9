/* SPDX-License-Identifier: BSD-2-Clause */
int a[int [4]];
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
int a[int][string];
BEGIN { exit(0); }

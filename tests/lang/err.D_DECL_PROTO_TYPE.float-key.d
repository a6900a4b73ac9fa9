/* SPDX-License-Identifier: BSD-2-Clause */
int a[float];
BEGIN { exit(0); }

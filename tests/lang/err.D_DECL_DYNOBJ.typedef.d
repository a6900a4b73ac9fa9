/* SPDX-License-Identifier: BSD-2-Clause */
typedef int a[int];
BEGIN { exit(0); }

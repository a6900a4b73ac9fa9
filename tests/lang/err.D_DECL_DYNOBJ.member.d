/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a[int]; };
BEGIN { exit(0); }

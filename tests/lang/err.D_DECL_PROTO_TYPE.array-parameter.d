// SPDX-License-Identifier: BSD-2-Clause
int a[int x, int b[int]];

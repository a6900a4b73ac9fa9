// SPDX-License-Identifier: BSD-2-Clause
int n;
int x[n];

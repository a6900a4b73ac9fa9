// SPDX-License-Identifier: BSD-2-Clause
int n;
enum { A = n };

// SPDX-License-Identifier: BSD-2-Clause
int n;
struct s { int a:n; };

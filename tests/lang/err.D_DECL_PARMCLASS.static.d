// SPDX-License-Identifier: BSD-2-Clause
int f(static int x);

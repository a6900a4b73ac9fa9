// SPDX-License-Identifier: BSD-2-Clause
int f(void x);

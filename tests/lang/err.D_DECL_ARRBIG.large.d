// SPDX-License-Identifier: BSD-2-Clause
int x[0x40000000];

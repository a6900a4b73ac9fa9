// SPDX-License-Identifier: BSD-2-Clause
inline int f[void x] = 1;

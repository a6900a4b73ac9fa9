// SPDX-License-Identifier: BSD-2-Clause
inline int f[int a[int]] = 1;

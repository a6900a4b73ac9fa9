// SPDX-License-Identifier: BSD-2-Clause
inline int A = 1;
inline int A = 2;

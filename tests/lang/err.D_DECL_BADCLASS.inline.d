// SPDX-License-Identifier: BSD-2-Clause
inline static int X = 5;

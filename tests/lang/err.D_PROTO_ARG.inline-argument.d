// SPDX-License-Identifier: BSD-2-Clause
// The argument of an inline must fit the type of its parameter.
inline int twice[int n] = n + n;
BEGIN { trace(twice["x"]); }

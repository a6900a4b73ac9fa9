// SPDX-License-Identifier: BSD-2-Clause
// An inline is a value, not a variable.
inline int x = 3;
BEGIN { x = 4; }

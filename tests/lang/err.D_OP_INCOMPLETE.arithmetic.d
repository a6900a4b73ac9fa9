// SPDX-License-Identifier: BSD-2-Clause
// Without a size there is no pointer arithmetic.
struct nowhere_defined *p;
BEGIN { trace(p + 1); }

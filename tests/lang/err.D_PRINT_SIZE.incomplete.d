// SPDX-License-Identifier: BSD-2-Clause
// An undefined struct has no size.
struct nowhere_defined *p;
BEGIN { print(p); }

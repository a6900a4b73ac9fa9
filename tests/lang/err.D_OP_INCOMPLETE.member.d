// SPDX-License-Identifier: BSD-2-Clause
// A member of a struct that is only named.
struct nowhere_defined *p;
BEGIN { trace(p->x); }

// SPDX-License-Identifier: BSD-2-Clause
// The object is not known.
struct nowhere_defined *p;
BEGIN { trace(*p); }

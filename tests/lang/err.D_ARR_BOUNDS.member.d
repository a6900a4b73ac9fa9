// SPDX-License-Identifier: BSD-2-Clause
// A constant index beyond a member array, on assignment too.
struct m { int a[3]; } g;
BEGIN { g.a[3] = 1; }

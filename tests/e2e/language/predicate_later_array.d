// SPDX-License-Identifier: BSD-2-Clause
// A predicate may read an array that its own clause makes.
#pragma D option quiet
BEGIN /a[1] == 0/ { a[1] = 4; printf("%d\n", a[1]); exit(0); }

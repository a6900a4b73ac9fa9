// SPDX-License-Identifier: BSD-2-Clause
// where: both
// A loop that does not end after 256 turns is a fault; what it did stays.
#pragma D option quiet
BEGIN { for (;;) n++; }
BEGIN { printf("%d\n", n); exit(0); }
ERROR { printf("%d %d\n", arg4, arg5); }

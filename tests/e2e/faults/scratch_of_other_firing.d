// SPDX-License-Identifier: BSD-2-Clause
// A pointer to scratch memory that is kept for another firing, which has taken none, is a fault.
#pragma D option quiet
BEGIN { kept = (int *)alloca(8); kept[0] = 7; }
BEGIN { printf("%d\n", kept[0]); }
tick-10ms { printf("no %d\n", kept[0]); }
ERROR { printf("error %d\n", arg4); exit(0); }

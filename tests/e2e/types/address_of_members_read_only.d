/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing is stored through such an address. */
#pragma D option quiet
struct s { int a; int b[3]; }; struct s g; BEGIN { gp = &g.b[1]; g.b[1] = 8; g.b[2] = 1; printf("%d\n", gp[1]); *gp = 3; printf("no\n"); } BEGIN { printf("%d\n", *gp); exit(0); } ERROR { printf("fault %d\n", arg4); }

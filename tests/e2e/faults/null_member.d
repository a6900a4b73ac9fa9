/* SPDX-License-Identifier: BSD-2-Clause */
/* A member of a NULL structure pointer: the address is the offset of the member. */
/* needs: btf */
#pragma D option quiet
struct s { long a; int b; };
BEGIN { this->p = (struct s *)NULL; x = this->p->b; printf("never\n"); }
BEGIN { printf("never %d\n", ((struct task_struct *)0)->pid); }
ERROR { printf("%d %d\n", arg4, arg5 == 8 || arg5 == offsetof(struct task_struct, pid)); }
BEGIN { exit(0); }

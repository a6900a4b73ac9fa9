/* SPDX-License-Identifier: BSD-2-Clause */
/* A store beyond the scratch memory is an invalid address. */
#pragma D option quiet
BEGIN { i = 100000; }
BEGIN { this->p = (int *)alloca(8); this->p[i] = 1; printf("never\n"); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }

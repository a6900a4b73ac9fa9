/* SPDX-License-Identifier: BSD-2-Clause */
/* alloca of more than the scratch space is a fault. */
#pragma D option quiet
BEGIN { n = 100000; }
BEGIN { printf("never\n"); this->p = alloca(n); }
ERROR { printf("error %d %d\n", arg4, arg4 == DTRACEFLT_NOSCRATCH); }
BEGIN { this->q = (int *)alloca(200); *this->q = 5; printf("%d\n", *this->q); exit(0); }

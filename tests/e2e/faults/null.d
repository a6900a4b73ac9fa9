/* SPDX-License-Identifier: BSD-2-Clause */
/* A load through NULL is an invalid address, with that address in arg5. */
#pragma D option quiet
BEGIN { x = *(int *)NULL; printf("never\n"); }
BEGIN { this->p = (char *)0x10; printf("never %d\n", *this->p); }
ERROR { printf("error %d %x\n", arg4, arg5); }
BEGIN { exit(0); }

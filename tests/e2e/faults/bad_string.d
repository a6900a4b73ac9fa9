/* SPDX-License-Identifier: BSD-2-Clause */
/* A string read from a bad kernel address. */
#pragma D option quiet
BEGIN { this->p = (char *)0x20; printf("never [%s]\n", stringof(this->p)); }
ERROR { printf("error %d %x\n", arg4, arg5); }
BEGIN { exit(0); }

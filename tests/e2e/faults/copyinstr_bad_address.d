/* SPDX-License-Identifier: BSD-2-Clause */
/* copyinstr from an address that cannot be read is a fault with that address. */
#pragma D option quiet
BEGIN { printf("never\n"); this->s = copyinstr(0x10); }
ERROR { printf("error %d %x\n", arg4, arg5); }
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A NULL string argument is an invalid address, at address 0. */
#pragma D option quiet
BEGIN { printf("never\n"); printf("%d\n", strlen((char *)NULL)); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { printf("next\n"); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A zero divisor of an unsigned type is a fault, too. */
#pragma D option quiet
uint64_t zero; uint32_t z;
BEGIN { x = 5ULL / zero; printf("never\n"); }
BEGIN { x = 5u % z; printf("never\n"); }
ERROR { printf("error %d\n", arg4); }
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.ipl
/* ipl is 0 in a process; in an interrupt it is 1 where the kernel tells the address of its counter, else 0. */
#pragma D option quiet
BEGIN { printf("%d\n", ipl); }
profile-997 { printf("%d\n", ipl <= 1); exit(0); }

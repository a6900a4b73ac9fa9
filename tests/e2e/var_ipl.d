/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.ipl
/* ipl is 0 in a process and more in an interrupt. */
#pragma D option quiet
BEGIN { printf("%d\n", ipl); }
profile-997 { printf("%d\n", ipl > 0); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* The flag takes the words for on and off. */
#pragma D option quiet=off
#pragma D option quiet=enabled
#pragma D option quiet=unset
#pragma D option quiet=TRUE
BEGIN { printf("x\n"); exit(0); }

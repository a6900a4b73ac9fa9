/* SPDX-License-Identifier: BSD-2-Clause */
/* copyin of more than scratchsize is an invalid size. */
#pragma D option quiet
BEGIN { n = 100000; printf("never\n"); this->p = copyin(0x1000, n); }
BEGIN { exit(0); }

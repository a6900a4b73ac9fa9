/* SPDX-License-Identifier: BSD-2-Clause */
/* What is neither committed nor discarded does not appear. */
#pragma D option quiet
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("never\n"); }
BEGIN { exit(0); }
END { printf("end\n"); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.commit
/* Speculated output appears when it is committed. */
#pragma D option quiet
BEGIN { s = speculation(); printf("id %d\n", s); }
BEGIN { speculate(s); printf("speculated %d\n", 1); }
BEGIN { printf("before\n"); }
BEGIN { commit(s); }
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.discard
/* Discarded output never appears. */
#pragma D option quiet
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("never\n"); }
BEGIN { discard(s); }
BEGIN { printf("after\n"); exit(0); }

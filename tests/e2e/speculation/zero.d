/* SPDX-License-Identifier: BSD-2-Clause */
/* commit and discard of 0 do nothing. */
#pragma D option quiet
int none;
BEGIN { commit(none); }
BEGIN { discard(none); }
BEGIN { printf("on\n"); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* Values are those of the time of speculating. */
#pragma D option quiet
BEGIN { s = speculation(); x = 1; }
BEGIN { speculate(s); trace(x); }
BEGIN { x = 2; }
BEGIN { speculate(s); trace(x); x = 3; }
BEGIN { commit(s); }
BEGIN { trace(x); exit(0); }

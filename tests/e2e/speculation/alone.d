/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.speculate
/* speculate() alone is as the empty clause; commit and discard print no line of their own. */
/* filter: cpu */
BEGIN { s = speculation(); }
BEGIN { speculate(s); }
BEGIN { commit(s); }
BEGIN { exit(0); }

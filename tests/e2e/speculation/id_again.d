/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x nspec=1
/* The number is free again when its end was read. */
int n, got;
BEGIN { got = speculation(); }
tick-20ms /got/ { speculate(got); printf("round %d\n", n); }
tick-20ms /got/ { commit(got); got = 0; n++; }
tick-20ms /!got && n < 4/ { got = speculation(); }
tick-20ms /n == 4/ { exit(0); }

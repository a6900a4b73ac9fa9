/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.speculation sub.speculation opt.nspec drop.nospec drop.busy
// run: -q -x nspec=3
/* nspec numbers are given out; what fails is counted by its reason. */
BEGIN { printf("%d %d %d %d\n", speculation(), speculation(), speculation(), speculation()); }
BEGIN { commit(2); }
BEGIN { printf("%d\n", speculation()); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x nspec=0
/* Without speculations each one fails, and number 0 is ignored. */
BEGIN { self->s = speculation(); printf("%d\n", self->s); }
BEGIN { speculate(self->s); printf("never\n"); }
BEGIN { commit(self->s); discard(0); }
BEGIN { printf("%d\n", speculation()); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: drop.speculative opt.specsize
// run: -q -x specsize=100
/* Records of 24 bytes: four fit, what does not is counted, smaller ones still fit. */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("%d %d\n", 1, 1); }
BEGIN { speculate(self->s); printf("%d %d\n", 2, 2); }
BEGIN { speculate(self->s); printf("%d %d\n", 3, 3); }
BEGIN { speculate(self->s); printf("%d %d %d %d %d %d\n", 4, 4, 4, 4, 4, 4); }
BEGIN { speculate(self->s); printf("%d %d\n", 5, 5); }
BEGIN { speculate(self->s); printf("%d %d\n", 6, 6); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }

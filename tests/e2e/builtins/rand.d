/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.rand
/* rand(): ten numbers of which no two neighbours are alike, not all of one sign bit. */
#pragma D option quiet
BEGIN { last = rand(); }
tick-1ms /n < 10/ { this->r = rand(); same += this->r == last; bits |= this->r ^ last; last = this->r; n++; }
tick-1ms /n == 10/ { printf("%d %d %d\n", sizeof(rand()), same < 3, bits != 0); exit(0); }

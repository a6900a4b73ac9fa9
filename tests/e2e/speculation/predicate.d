/* SPDX-License-Identifier: BSD-2-Clause */
/* The idiom: speculate at the entry, decide at the end. */
#pragma D option quiet
int i; int self_id;
tick-2ms /!self_id/ { self_id = speculation(); }
tick-2ms /self_id/ { speculate(self_id); printf("round %d\n", i); }
tick-2ms /self_id && i == 1/ { commit(self_id); }
tick-2ms /i++ == 1/ { exit(0); }

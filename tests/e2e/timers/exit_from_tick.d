/* SPDX-License-Identifier: BSD-2-Clause */
/* exit() from a timer after three ticks. */
/* exit: 4 */
#pragma D option quiet
int i;
tick-5ms /i < 3/ { i++; printf("%d\n", i); }
tick-5ms /i == 3/ { exit(4); }
END { printf("end %d\n", i); }

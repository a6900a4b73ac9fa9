/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands inside a probe description, with text around them. */
/* args: 3 7ms BEGIN */
#pragma D option quiet
int n;
tick-$1ms { n++; }
tick-$2 /n > 2/ { printf("%s\n", probename); exit(0); }
$3 { printf("%s\n", probename); }

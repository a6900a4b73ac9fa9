/* SPDX-License-Identifier: BSD-2-Clause */
/* Glob characters in probe names. */
#pragma D option quiet
BEG?N { printf("a"); }
[A-B]EGIN { printf("b"); }
[!A]EGIN { printf("c"); }
dtr*:::*GIN { printf("d"); }
dtrace:::B* { printf("e"); }
::B[D-F]G*N { printf("f"); }
BEGIN { printf("\n"); exit(0); }

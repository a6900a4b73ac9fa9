/* SPDX-License-Identifier: BSD-2-Clause */
// row: flag.n
/* Several -n programs and a script: clause order is that of the command line; variables are shared. */
/* run: -q -n 'BEGIN { x = 1; printf("first\n"); }' -s %f -n 'BEGIN { printf("last %i\n", x); x++; exit(0); }' */
BEGIN { printf("script %d\n", x); x = 2; }
END { printf("end %d\n", x); }

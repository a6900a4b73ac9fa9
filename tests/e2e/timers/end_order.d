/* SPDX-License-Identifier: BSD-2-Clause */
/* Several END clauses in order, with the values of the run. */
#pragma D option quiet
BEGIN { n = 1; @a["kept"] = count(); exit(0); }
END { n++; printf("first %d\n", n); }
END /n == 2/ { printf("second\n"); }
END { printf("%s\n", probename); }

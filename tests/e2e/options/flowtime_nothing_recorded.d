/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x flowtime
/* A clause that records nothing has no place for the time. */
BEGIN { x = 1; @ = count(); }
BEGIN { exit(0); }
END { printf("%d\n", x); }

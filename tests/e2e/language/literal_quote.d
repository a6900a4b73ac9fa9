/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* A quote in a character constant, and NULL, which is an int. */
BEGIN { printf("%d %d %d\n", '\'', sizeof(NULL), '"'); exit(0); }

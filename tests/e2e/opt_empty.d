/* SPDX-License-Identifier: BSD-2-Clause */
// run: -x empty -n "" -q -s %f
/* A program text may be empty. */
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.empty
// run: -x empty -n "" -q -s %f
/* A program text may be empty. */
BEGIN { exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.argref
/* argref: operands need not be used. */
/* args: 1 2 3 */
#pragma D option quiet
#pragma D option argref
BEGIN { printf("%d\n", $1); exit(0); }

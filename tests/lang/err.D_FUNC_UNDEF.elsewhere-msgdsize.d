/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.msgdsize
/* A function of other systems: the message says why. */
BEGIN { msgdsize(0); }

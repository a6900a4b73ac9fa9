/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.memref
/* A function of other systems: the message says why. */
BEGIN { memref(0); }

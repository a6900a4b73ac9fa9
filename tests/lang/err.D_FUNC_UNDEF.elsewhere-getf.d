/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.getf
/* A function of other systems: the message says why. */
BEGIN { getf(0); }

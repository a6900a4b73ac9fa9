/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.ddi_pathname
/* A function of other systems: the message says why. */
BEGIN { ddi_pathname(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.zonename
/* A variable of other systems: the message says why. */
BEGIN { trace(zonename); }

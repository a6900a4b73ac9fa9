/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.jid
/* A variable of other systems: the message says why. */
BEGIN { trace(jailname); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A function that the library defines as an inline is told as what the user has called. */
BEGIN { trace(macaddr(arg0)); }

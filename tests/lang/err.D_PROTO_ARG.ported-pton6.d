/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv6 addresses are no numbers. */
BEGIN { trace(pton("::1")); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* How much memcmp() compares. */
BEGIN { trace(memcmp("a", "b", pid)); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
#pragma D binding "one" x
BEGIN { x = 1; exit(0); }

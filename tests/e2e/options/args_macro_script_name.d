/* SPDX-License-Identifier: BSD-2-Clause */
// row: macro.0
/* $0 and $$0 are the script. */
#pragma D option quiet
BEGIN { printf("%s %s\n", $$0, $0 == $$0 ? "same" : "differs"); exit(0); }

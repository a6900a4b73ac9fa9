/* SPDX-License-Identifier: BSD-2-Clause */
/* clear sets values to zero and keeps the keys. */
#pragma D option quiet
BEGIN { @["a"] = sum(5); @["b"] = sum(7); }
BEGIN { printa("%s %@d\n", @); clear(@); printa("%s %@d\n", @); exit(0); }

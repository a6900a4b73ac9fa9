/* SPDX-License-Identifier: BSD-2-Clause */
/* A histogram where the format has its value. */
#pragma D option quiet
BEGIN { @["k"] = quantize(5); printa("<%s%@d>\n", @); exit(0); }

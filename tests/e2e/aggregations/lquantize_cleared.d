/* SPDX-License-Identifier: BSD-2-Clause */
/* A cleared lquantize prints its first three rows. */
#pragma D option quiet
BEGIN { @ = lquantize(50, 0, 100, 10); }
BEGIN { printa("%@d\n", @); clear(@); printa("%@d\n", @); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* normalize divides the counts of a histogram, not its bars. */
#pragma D option quiet
BEGIN { @ = quantize(1, 100); @ = quantize(2, 300); exit(0); }
END { normalize(@, 10); printa(@); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* A cleared quantize prints three empty rows. */
#pragma D option quiet
BEGIN { @["k"] = quantize(1000); }
BEGIN { clear(@); printa(@); exit(0); }

/* SPDX-License-Identifier: BSD-2-Clause */
/* The least number there is, divided by -1, which the processor refuses: in rows and in one line. */
#pragma D option quiet
BEGIN { @ = quantize(1, -9223372036854775807 - 1); normalize(@, -1); printa(@); }
BEGIN { setopt("aggpack"); printa(@); exit(0); }
END { trunc(@); }

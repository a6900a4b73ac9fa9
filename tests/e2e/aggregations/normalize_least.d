/* SPDX-License-Identifier: BSD-2-Clause */
/* The least number there is, which no bucket is: in rows and in one line. Divided by -1 the processor refuses it. */
#pragma D option quiet
BEGIN { @ = quantize(1, -9223372036854775807 - 1); normalize(@, -1); printa(@); }
BEGIN { setopt("aggpack"); printa(@); exit(0); }
END { trunc(@); }

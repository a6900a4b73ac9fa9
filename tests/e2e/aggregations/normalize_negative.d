/* SPDX-License-Identifier: BSD-2-Clause */
/* normalize divides negative values with their sign. */
#pragma D option quiet
BEGIN { @s = sum(-1000); @mi = min(-55); @a = avg(-300); @a = avg(-100); exit(0); }
END { normalize(@s, 10); normalize(@mi, 10); normalize(@a, 10); }

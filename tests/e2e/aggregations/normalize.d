/* SPDX-License-Identifier: BSD-2-Clause */
// row: act.normalize act.denormalize
/* normalize divides what is printed; a later one replaces it; denormalize ends it. */
#pragma D option quiet
BEGIN { @["a"] = sum(1000); @["b"] = sum(55); exit(0); }
END
{
	normalize(@, 10); printa("%s %@d\n", @);
	normalize(@, 100); printa("%s %@d\n", @);
	denormalize(@); printa("%s %@d\n", @);
}

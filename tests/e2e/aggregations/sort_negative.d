/* SPDX-License-Identifier: BSD-2-Clause */
/* Values are sorted signed; avg by its quotient. */
#pragma D option quiet
BEGIN
{
	@a["x"] = sum(-1); @a["y"] = sum(-10); @a["z"] = sum(0); @a["w"] = sum(5);
	@b["big"] = avg(10); @b["small"] = avg(1); @b["small"] = avg(2); @b["small"] = avg(3); @b["neg"] = avg(-4);
	exit(0);
}

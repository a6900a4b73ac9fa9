/* SPDX-License-Identifier: BSD-2-Clause */
/* ++, -- and compound assignments of elements. */
#pragma D option quiet
BEGIN
{
	a["x"]++; a["x"]++; ++a["y"]; a["z"]--;
	a["x"] += 10; a["y"] <<= 4; a["z"] *= 5;
	printf("%d %d %d\n", a["x"], a["y"], a["z"]);
	printf("%d %d\n", a["x"]++, a["x"]);
	exit(0);
}

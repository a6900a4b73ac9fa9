/* SPDX-License-Identifier: BSD-2-Clause */
/* Equal values are sorted by key: strings bytewise, integers as unsigned. */
#pragma D option quiet
BEGIN
{
	@a["b"] = count(); @a["a"] = count(); @a["ab"] = count(); @a["B"] = count();
	@b[3] = count(); @b[-1] = count(); @b[0] = count();
	@c[1, "b"] = count(); @c[2, "a"] = count(); @c[1, "a"] = count();
	exit(0);
}

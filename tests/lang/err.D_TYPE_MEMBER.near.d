/* SPDX-License-Identifier: BSD-2-Clause */
struct point { int horizontal; int vertical; };

BEGIN
{
	trace(((struct point *)0)->vertcal);
}

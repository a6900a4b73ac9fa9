/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys that begin alike for more than eight bytes; a shorter one; bytes above 127; a second key that decides. */
#pragma D option quiet
BEGIN
{
	@a["same start, b"] = count(); @a["same start, a"] = count(); @a["same sta"] = count(); @a["same"] = count();
	@a["\377"] = count(); @a[""] = count(); @a["same start, \200"] = count();
	@b["k", 2] = count(); @b["k", 1] = count(); @b["j", 3] = count();
	@c[-1] = count(); @c[1] = count(); @c[256] = count(); @c[0] = count();
	printa(@a); printa(@b); printa(@c);
	setopt("aggsortrev"); printa(@a);
	setopt("aggsortkey"); setopt("aggsortkeypos", "1"); printa(@b);
	exit(0);
}

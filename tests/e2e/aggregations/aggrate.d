/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x aggrate=1hour
/* Between two snapshots printa() shows the older values. */
BEGIN { @a = sum(1); printa("first %@d\n", @a); }
tick-700ms { @a = sum(2); printa("older %@d\n", @a); exit(0); }
END { setopt("aggrate", "0"); printa("newer %@d\n", @a); }

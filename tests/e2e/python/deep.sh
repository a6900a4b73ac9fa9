#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root python3
# where: native
#
# A stack of many functions that are all new, met in an interrupt of the timer, where the kernel soon has no more memory to
# copy names into: they are copied at a later sample, and no function stays without its name.
. "$(dirname "$0")/../lib.sh"
{
	printf 'import time\ndef f0():\n end = time.time() + %d\n while time.time() < end: pass\n' $((1 * ${DTX_SLOW:-1}))
	for ((i = 1; i < 95; i++)); do printf 'def f%d(): return f%d()\n' $i $((i - 1)); done
	echo 'f94()'
} >"$tmp/deep.py"
dtx -qn 'profile-197 /pid == $target/ { @[pystack()] = count(); } END { trunc(@, 1); }' -c "python3 $tmp/deep.py"
names=$(grep -oE ' (f[0-9]+|<module>|\?)$' "$tmp/out" | sort | uniq -c | awk '{ print $1, $2 == "?" ? "without a name" : "named" }' | sort | uniq -c)
same '     96 1 named' "$names" 'not each function once, by its name'

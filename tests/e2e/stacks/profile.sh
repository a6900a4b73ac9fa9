#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# Sampling 99 times a second: a program that only computes is where the samples are, with its symbols.
. "$(dirname "$0")/../lib.sh"

# Samples whose user stack is main, work, burn; and all samples.  Counts depend on how busy the
# machine is, the share does not.
check() {
	awk '
		NF == 1 && $1 !~ /^-?[0-9]+$/ { stack = stack " " $1; next }
		NF == 1 { all += $1; if (stack ~ /spin`burn.*spin`work.*spin`main/) sum += $1; stack = "" }
		END { print sum + 0, all + 0 }' "$tmp/out"
}
verify() {
	read -r burn all < <(check)
	[ "$burn" -ge 10 ] && [ $((burn * 10)) -ge $((all * 8)) ] ||
		{ head -n 40 "$tmp/out" >&2; fail "$burn of $all samples of $1 are in burn()"; }
}
# The program is still there when its addresses are named …
dtx -n 'profile-99 /pid == $target/ { @[stack(), ustack()] = count(); } tick-1s { exit(0); }' -c "$t/spin 4000"
verify "a running program"
# … and it has ended before.
dtx -n 'profile:hz:99 /pid == $target/ { @[ustack()] = count(); }' -c "$t/spin 1000"
verify "an ended program"

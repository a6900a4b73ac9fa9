#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# timeout: 60
#
# Globs over kernel functions: each that can be attached is, each other is named (-v names all), and the run goes on.
. "$(dirname "$0")/../lib.sh"

tracing=/sys/kernel/tracing
for prefix in vfs_ tcp_; do
	dtx -vn "fbt::${prefix}*:entry { @[probefunc] = count(); }" -c "/bin/cat $tracing/enabled_functions /sys/kernel/debug/kprobes/list"
	sed -nE "s/^($prefix[a-zA-Z0-9_.]*) \\(.*/\\1/p; s/^[0-9a-f]+ +k +($prefix[a-zA-Z0-9_.]*)\\+.*/\\1/p" "$tmp/out" | sort -u >"$tmp/attached"
	grep -o "^${prefix}[a-zA-Z0-9_.]*" $tracing/available_filter_functions | sort -u >"$tmp/all"
	comm -13 "$tmp/attached" "$tmp/all" >"$tmp/missing"
	echo "$prefix: $(wc -l <"$tmp/attached") of $(wc -l <"$tmp/all") attached"
	[ -s "$tmp/attached" ] || { cat "$tmp/err" >&2; fail "no function $prefix* was attached"; }
	while read -r function; do
		grep -qw -- "$function" "$tmp/err" || fail "$function is neither attached nor named"
	done <"$tmp/missing"
done
dtx -n 'fbt::vfs_*:entry { @[probefunc] = count(); }' -c "$t/reads 10:300"
[ "$(value vfs_read)" -ge 300 ] || fail "vfs_read was called $(value vfs_read) times, not 300 or more"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# where: both
#
# Fields of tracepoints that are arrays as large as a register are arrays: the bytes of an address, wherever in the
# record they lie. What the kernel's format says of address spaces is no part of a type.
. "$(dirname "$0")/../lib.sh"
tracing=/sys/kernel/tracing/events

dtx -qn 'tracepoint:sock:inet_sock_set_state /pid == $target && args.newstate == 1/ {
	printf("D %d %d %s %s\n", args.saddr[0], saddr[3], inet_ntoa((ipaddr_t *)args.daddr), ntop(args->saddr));
	tracemem(args.daddr, 4);
}' -c "$t/talk 127.0.0.1"
same 'D 127 1 127.0.0.1 127.0.0.1' "$(grep -a '^D' "$tmp/out" | head -1)" "addresses in the record"
grep -aq '7f 00 00 01' "$tmp/out" || fail "the bytes of the address are not shown"

# Each such field of this kernel, with those that are not aligned, and each pointer to another address space.
grep -oE 'field:[^;]*(\[[1248]\]|__seg_gs [^;]*|__percpu [^;]*);' $tracing/*/*/format | sed -E "s|$tracing/||; s|/format:.*[ *]([a-z_0-9]+)(\[[0-9]\])?;| \1|; s|/|:|" |
	grep -v '^ftrace' | awk '{ print "tracepoint:" $1 " { trace(args." $2 "); }" }' | sort -u >"$tmp/fields.d"
[ "$(wc -l <"$tmp/fields.d")" -ge 8 ] || fail "few fields are found: $(cat "$tmp/fields.d")"
dtx -e -s "$tmp/fields.d"

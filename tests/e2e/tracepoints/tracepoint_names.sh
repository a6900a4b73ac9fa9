#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# %s of a field of a tracepoint is what the kernel prints for it: the states of a connection, by name; the
# state in which a thread leaves the CPU, as flags, where 0 has a name of its own; %d stays the number. %s of an enumeration is its name.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'tracepoint:sock:inet_sock_set_state /pid == $target && args.dport != 0/ {
		printf("%s %d %s %s %s %d\n", args.family, args.family, args.protocol, args.oldstate, args.newstate, args.newstate);
	}' -c "$t/talk 127.0.0.1"
for line in 'AF_INET 2 IPPROTO_TCP TCP_CLOSE TCP_SYN_SENT 2' 'AF_INET 2 IPPROTO_TCP TCP_SYN_SENT TCP_ESTABLISHED 1'; do
	grep -qx "$line" "$tmp/out" || { cat "$tmp/out" >&2; fail "no line '$line'"; }
done
dtx -qn 'tracepoint:sched:sched_switch /pid == $target/ { printf("%d %s.\n", args.prev_state, prev_state); }' \
	-c "$t/sleeper 20"
grep -qx '1 S.' "$tmp/out" || { cat "$tmp/out" >&2; fail "no sleep"; }
grep -vE '^(1 S|0 R|256 0x100|[0-9]+ [A-Za-z|]+)\.$' "$tmp/out" | grep . >&2 && fail "not the names of states"
dtx -qn 'enum level { LOW, HIGH = 5 }; enum level v; BEGIN { v = HIGH; printf("%s %d %6s %s\n", v, v, LOW, (enum level)2); exit(0); }'
same "HIGH 5    LOW 2" "$(grep . "$tmp/out")" "an enumeration"
"$DTX" -en 'tracepoint:sched:sched_switch { printf("%s", args.prev_pid); }' 2>"$tmp/err" && fail "a field without names is taken"
grep -q D_PRINTF_ARG_TYPE "$tmp/err" || { cat "$tmp/err" >&2; fail "not refused as it should be"; }

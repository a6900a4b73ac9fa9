#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: setpriv uprobes
#
# A user with a few capabilities traces what root traces; after attaching, root has only those left that tracing
# still needs, unless destructive actions are allowed.
. "$(dirname "$0")/../lib.sh"

# caps MASK: its capability numbers.
caps() { local i out=; for ((i = 0; i < 41; i++)); do (( 16#$1 >> i & 1 )) && out+="$i "; done; echo "${out% }"; }

chmod 755 "$tmp"
caps=-all,+bpf,+perfmon,+sys_ptrace,+dac_read_search,+syslog
for probe in 'syscall::getpgid:entry' 'tracepoint:raw_syscalls::sys_enter' 'rawtp:raw_syscalls::sys_enter' 'uprobe:libc:syscall:entry' 'profile:::profile-97'; do
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$caps --ambient-caps=$caps --bounding-set=$caps \
		"$DTX" -qn "$probe { @ = count(); } tick-300ms { exit(0); }" >"$tmp/out" 2>"$tmp/err" &
	dtx=$!
	while [ -d /proc/$dtx ] && kill -0 $dtx 2>/dev/null; do "$t/syscalls" 1; done
	wait $dtx || fail "$probe: $(cat "$tmp/err")"
	[ "$(tr -d ' \n' <"$tmp/out")" -gt 0 ] || fail "$probe counts nothing: $(cat "$tmp/out" "$tmp/err")"
done

for option in q qw; do
	rm -f "$tmp/out"
	"$DTX" -${option}n 'BEGIN { printf("ready\n"); } tick-1s { @ = count(); }' >"$tmp/out" 2>"$tmp/err" &
	dtx=$!
	begun
	given_up() {
		now=$(caps "$(sed -n 's/^CapEff:\t//p' /proc/$dtx/status)") may=$(caps "$(sed -n 's/^CapPrm:\t//p' /proc/$dtx/status)")
		[ "$now" = "2 5 19 34 38 39 40" ]
	}
	case $option in
	q)  until_true 2 given_up ;;          # just after it is ready
	qw) given_up ;;
	esac
	kill -TERM $dtx
	wait $dtx || fail "it ended badly: $(cat "$tmp/err")"
	case $option in
	q)  [ "$now" = "2 5 19 34 38 39 40" ] && [ "$now" = "$may" ] || fail "it still has $now of $may" ;;
	qw) [ "$now" != "2 5 19 34 38 39 40" ] || fail '-w has lost its rights' ;;
	esac
done

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# on: newest
# needs: bpftool
# where: both
# timeout: 300
#
# SIGKILL at random moments (compiling, attaching, running, ending) leaves no program, map or link, no pin and no
# event of tracefs; DTX_KILLS says how often (100; 6 in a guest, which is slow). Programs with different kinds of probes take turns.
. "$(dirname "$0")/../lib.sh"

bpftool prog list >"$tmp/progs" 2>"$tmp/err" || skip "bpftool cannot list programs here: $(head -n 1 "$tmp/err")"
objects() { { bpftool prog list | sed 's/^/prog /'; bpftool map list | sed 's/^/map /'; } | grep -E '^(prog|map) [0-9]+:' | sed 's/:.*//' | sort; }
events() { cat /sys/kernel/tracing/{kprobe,uprobe}_events /sys/kernel/debug/kprobes/list 2>/dev/null; ls /sys/fs/bpf 2>/dev/null; }
programs=('tracepoint:sched:sched_switch { @[cpu] = count(); }' 'profile-997 { @[stack()] = count(); }'
	'syscall:::entry { @[probefunc] = count(); self->t = timestamp; v[pid] = 1; }')
[ ! -e /sys/bus/event_source/devices/kprobe ] || programs+=('kprobe:vfs_read, kretprobe:vfs_read { @[probename] = count(); }'
	'rawfbt::vfs_read:entry { @[probefunc] = count(); }' 'fbt::vfs_*:entry, fbt::vfs_*:return { @[probefunc] = count(); }')
whole_program() { printf '%s %s\n' 'BEGIN { printf("begin\n"); } tick-20ms { exit(0); } END { printf("end\n"); }' "$1"; }

killed=0
objects >"$tmp/before"
events | sort >"$tmp/events"
# How long a whole run takes, so that the moments are spread over all of it: each compiles.
whole=()
for program in "${programs[@]}"; do
	start=${EPOCHREALTIME/[.,]/}
	dtx -x cache=off -qn "$(whole_program "$program")"
	whole+=($((${EPOCHREALTIME/[.,]/} - start)))
done
kills=${DTX_KILLS:-$([ -n "${DTX_GUEST:-}" ] && echo 6 || echo 100)}
for ((i = 0; i < kills; i++)); do
	which=$((i % ${#programs[@]}))
	"$DTX" -x cache=off -qn "$(whole_program "${programs[which]}")" >"$tmp/out" 2>&1 &
	us=$((whole[which] * (RANDOM % 1000) / 1000))
	sleep "$((us / 1000000)).$(printf %06d $((us % 1000000)))"
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	[ $? != 137 ] || killed=$((killed + 1))
done
echo "$killed of $kills runs were killed, the others had ended before"
[ $((4 * killed)) -ge "$kills" ] || fail "most runs ended before they were killed"
# Others trace on this machine, too: what is there now and was not before has to go in the end.
objects | comm -13 "$tmp/before" - >"$tmp/left"
events | sort | comm -13 "$tmp/events" - >"$tmp/left_events"
clean() {
	objects | comm -12 "$tmp/left" - >"$tmp/still" && mv "$tmp/still" "$tmp/left"
	events | sort | comm -12 "$tmp/left_events" - >"$tmp/still" && mv "$tmp/still" "$tmp/left_events"
	[ ! -s "$tmp/left" ] && [ ! -s "$tmp/left_events" ]
}
until_true 30 clean || fail "left behind: $(tr '\n' ' ' <"$tmp/left") $(cat "$tmp/left_events")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# timeout: 60
#
# Events that are there for each CPU fire again on a CPU that was away, also if it goes and comes within a moment;
# that it went and that it is back is told once each time.
# truth: profile-N, CPU offline and back | samples of a program that runs there | it runs nowhere else (taskset)
# truth: software:::, CPU offline and back | samples of a program that runs there | it runs nowhere else (taskset)
# truth: option cpu, its CPU offline | it is told, END runs; at the start it is refused | the kernel's list of CPUs
. "$(dirname "$0")/../lib.sh"

cpu=/sys/devices/system/cpu/cpu1/online
[ -w $cpu ] || skip 'no CPU can be taken away here'
"$DTX" -qn 'BEGIN { printf("ready\n"); }
	profile-97 /cpu == 1 && execname == "spin"/ { profiled++; }
	software:::cpu-clock-97hz /cpu == 1 && execname == "spin"/ { clocked++; }
	tick-500ms { printf("count %d %d\n", profiled, clocked); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
trap 'kill $dtx $spin 2>/dev/null; rm -rf "$tmp"' EXIT
spin=
counts() { tail -n 1 "$tmp/out" | awk '/^count/ { print $2, $3 }'; }
more() { read -r a b <<<"$(counts)" && [ "${a:-0}" -gt $(($1 + 20)) ] && [ "${b:-0}" -gt $(($2 + 20)) ]; }
said() { [ "$(grep -c "$1" "$tmp/err")" = "$2" ]; }

begun
for ((round = 1; round <= 3; round++)); do
	echo 0 >$cpu || fail 'the CPU stays'
	[ $round = 3 ] || awaits said 'CPU 1 went offline: ' $round
	echo 1 >$cpu || fail 'the CPU does not come back'
	awaits said 'CPU 1 is back: profile:::profile-97 and 1 more fires there again' $round
	read -r a b <<<"$(counts)"
	taskset -c 1 "$t/spin" 60000 &
	spin=$!
	awaits more "${a:-0}" "${b:-0}"
	kill $spin
	wait $spin 2>/dev/null
done
said 'CPU 1 went offline: ' 3 || fail "$(cat "$tmp/err")"
kill -TERM $dtx
wait $dtx

# The option cpu names the CPU that goes: nothing can fire there, also no tick.
rm "$tmp/out"
"$DTX" -x cpu=1 -qn 'BEGIN { printf("ready\n"); } tick-100ms { n++; } END { printf("ended on %d\n", cpu); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
begun
echo 0 >$cpu
awaits said 'CPU 1 went offline: this program, which traces that CPU alone, does not fire there until it is back' 1
kill -TERM $dtx
wait $dtx || fail "status $?: $(cat "$tmp/err")"
grep -qx 'ended on 0' "$tmp/out" || fail "END: $(cat "$tmp/out" "$tmp/err")"
refused 'CPU 1 is offline' -x cpu=1 -n 'BEGIN { exit(0); }'
echo 1 >$cpu

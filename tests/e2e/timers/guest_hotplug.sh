#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# timeout: 60
#
# A CPU goes away and comes back while it is traced: counts stay exact, the run goes on and ends in order.
. "$(dirname "$0")/../lib.sh"

[ -w /sys/devices/system/cpu/cpu1/online ] || skip 'no CPU can be taken away here'
"$DTX" -x strict -qn 'syscall::getpgid:entry /execname == "threads"/ { @calls = count(); @by[cpu] = count(); @text[execname, arg0 & 15] = count(); }
	profile-97 { @p = count(); } BEGIN { printf("ready\n"); } END { printa("calls %@d\n", @calls); printa("text %s %d %@d\n", @text); }' \
	>"$tmp/out" 2>"$tmp/err" &
dtx=$!
begun
for ((round = 0; round < 3; round++)); do
	"$t/threads" 4 100 syscall &
	load=$!
	echo 0 >/sys/devices/system/cpu/cpu1/online || fail 'the CPU stays'
	wait $load
	"$t/threads" 4 50 syscall
	echo 1 >/sys/devices/system/cpu/cpu1/online || fail 'the CPU does not come back'
done
kill -TERM $dtx
wait $dtx
status=$?
grep -q '^dtx: CPU 1 is back: profile:::profile-97 fires there again$' "$tmp/err" || fail "$(cat "$tmp/err")"
sed -i '/^dtx: CPU 1 \(went offline\|is back\): /d' "$tmp/err"
# Samples that the timers of a busy machine, or of a processor that is away, do not take; nothing else is lost, but where
# the kernel preempts programs.
may='samples? not taken by the kernel'
! preempts || may+='|skipped by the kernel'
lost_only "$may" $status
accounts "$(sed -n 's/^calls //p' "$tmp/out")" 1800 || fail "$(head "$tmp/out" "$tmp/err")"
accounts "$(awk '/^text/ { n += $4 } END { print n }' "$tmp/out")" 1800 || fail "$(cat "$tmp/out")"

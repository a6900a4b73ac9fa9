#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# timeout: 90
#
# The tools of the scheduler with -p PID and with --cgroup: what they say of four threads with known sleeps is
# what they say with -n NAME at the same time, and what the program says itself.
#
# truth: offcputime, offcpu, offwaketime, wakeuptime with -p and --cgroup | sum of the sleeps of four threads | the program's own clock
# truth: cpudist, runqlat with -p and --cgroup | how often four threads run and wait | the number of the program's sleeps
. "$(dirname "$0")/../lib.sh"

matches sched:::on-cpu || skip 'no probe sched:::on-cpu here'
known=known$$           # of its own: other tests may run a program of that name
cp "$t/knownnaps" "$tmp/$known"
least=$((4 * 20 * 25 * 1000))

# Starts the load, and the inner command that lets it go when the tool traces.
start() {
	rm -f "$tmp/go" "$tmp/named" && mkfifo "$tmp/go"
	"$tmp/$known" 4 20 25 <"$tmp/go" >"$tmp/account" &
	pid=$!
	exec 4>"$tmp/go"
	echo "echo >'$tmp/go'; while kill -0 $pid 2>/dev/null; do sleep 0.05; done" >"$tmp/wait"
	[ -z "$group" ] || echo $pid >"$group/cgroup.procs" || fail "no process can be in $group"
}

# us FILE: the sum of the waits of that program in its sleeps: by its own stack, or by that of the timer's interrupt.
us() {
	awk -v name="$known" '$1 == name && (NF == 1 || $2 == "waits:" || $2 " " $3 " " $4 == "was woken by") { known = 1; naps = 0 }
		/nanosleep|hrtimer_wakeup/ { naps = 1 }
		$2 == "us" && NF == 2 { if (known && naps) n += $1; known = 0; naps = 0 } END { print n + 0 }' "$1"
}

# times FILE: the counts in the histogram of that program.
times() { awk -v name="$known" '/us\):/ { on = $1 == name } on && /\|/ { n += $NF } END { print n + 0 }' "$1"; }

# near A B PERCENT: do they differ by no more?
near() { [ $((($1 > $2 ? $1 - $2 : $2 - $1) * 100)) -le $(($2 * $3)) ]; }

# both TOOL ARGS…: with -n around, and with the selection inside of it.
both() {
	local named=(-n "$known")
	[ "$1" != offcpu ] || named=()
	start
	select=(-p "$pid")
	[ -z "$group" ] || select=(--cgroup "$group")
	echo "'$DTX' -qs examples/$1.d ${*:2} ${select[*]} -c 'bash $tmp/wait' >'$tmp/selected' 2>'$tmp/err'" >"$tmp/inner"
	dtx -qs "examples/$1.d" "${@:2}" "${named[@]}" -c "bash $tmp/inner" -o "$tmp/named"
	exec 4>&-
	wait $pid
	! grep 'warning' "$tmp/err" || fail 'a tool is warned of'
}

sums() {
	local got named account
	both "$@"
	got=$(us "$tmp/selected") named=$(us "$tmp/named") account=$(cat "$tmp/account")
	if ! near "$got" "$named" 5 || [ $((got * 100)) -lt $((least * 90)) ] || [ $((got * 100)) -gt $((account * 105)) ]; then
		fail "$* ${select[*]}: $got us; with -n $named; the program: $account: $(cat "$tmp/selected" "$tmp/err")"
	fi
}

counts() {
	local got named
	both "$@"
	got=$(times "$tmp/selected") named=$(times "$tmp/named")
	if ! near "$got" "$named" 5 || [ "$got" -lt 95 ]; then
		fail "$* ${select[*]}: $got times; with -n $named: $(cat "$tmp/selected" "$tmp/err")"
	fi
}

all() {
	sums offcputime -t 1000
	sums offcpu "$known" 1000
	sums offwaketime -t 1000
	sums wakeuptime -t 1000
	counts cpudist -P
	counts cpudist -P -O
	counts runqlat -P
}

group=''
all
root=$(findmnt -nt cgroup2 -o TARGET | head -n 1)
if [ "$root" ] && group=$root/dtx-selected-$$ && mkdir "$group" 2>/dev/null; then
	trap 'rmdir "$group" 2>/dev/null; rm -rf "$tmp"' EXIT
	all
fi

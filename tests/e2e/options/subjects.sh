#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# Clauses that look for another thread than the one that -p, --follow, --cgroup and --comm select by, and those that run in an
# interrupt, are warned of; those of the thread that runs, and runs without a selection, are not.
. "$(dirname "$0")/../lib.sh"

# warns N OPTIONS PROGRAM
warns() {
	local got
	# shellcheck disable=SC2086
	"$DTX" -e $2 -n "$3" >"$tmp/out" 2>"$tmp/err" || fail "$3: $(cat "$tmp/err")"
	got=$(grep -cE 'this clause( and .*)? runs? only if the thread that' "$tmp/err")
	[ "$got" = "$1" ] || fail "$2 $3: $got warnings, not $1: $(cat "$tmp/err")"
}

switch='tracepoint:sched:sched_switch'
comes="$switch { t[args.prev_pid] = timestamp; } $switch /t[next_pid]/ { @[args.next_comm] = count(); }"
warns 1 "-p $$" "$comes"
grep -q 'sched:::on-cpu fires in the thread that comes' "$tmp/err" || fail 'no help'
warns 1 '--comm sh' "$comes"
warns 0 "-p $$ -x grabonly" "$comes"
warns 0 '' "$comes"
warns 0 "-p $$" "$switch /prev_pid && prev_state/ { @[args.next_comm] = count(); }"
warns 1 "-p $$" 'rawtp:sched::sched_switch /args.next->pid == 1/ { }'
warns 1 "-p $$" 'sched:::wakeup { w[args[0]->pr_lwpid] = timestamp; }'
warns 1 "-p $$" "tracepoint:sched:sched_waking { if (args.pid == 1) { printf(\"woken\"); } }"
grep -q -- '-x unfiltered=sched_waking lets' "$tmp/err" || fail 'no help'
warns 0 "-p $$ -x unfiltered=sched_waking" 'tracepoint:sched:sched_waking /args.pid == 1/ { }'
warns 0 "-p $$" 'sched:::wakeup { @[execname] = count(); }'

# What happens in interrupts, and in threads of the kernel, is not of the thread that runs.
warns 1 "-p $$" 'io:::done { @[execname] = count(); }'
grep -q 'the thread that the event interrupts is selected, which may be any' "$tmp/err" || fail 'not the reason'
warns 0 "-p $$ -x unfiltered=done" 'io:::done { @[execname] = count(); }'
warns 0 '' 'io:::done { @[execname] = count(); }'
warns 1 '--cgroup /' 'tracepoint:irq:softirq_entry { @[vec] = count(); }'
warns 1 "-p $$" 'tracepoint:writeback:writeback_start { @ = count(); }'

# A state of a connection changes in a system call, or where a packet arrives.
for of in tracepoint rawtp; do
	warns 1 "-p $$" "$of:sock::inet_sock_set_state { @ = count(); }"
	grep -q 'which may be any where a packet causes the event' "$tmp/err" || fail 'not the reason'
	warns 0 "-p $$ -x unfiltered=inet_sock_set_state" "$of:sock::inet_sock_set_state { @ = count(); }"
done

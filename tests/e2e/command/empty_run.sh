#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# row: opt.quietempty
#
# A run that has nothing to show says why: which probes never fired, which predicates were never true, and what to try.
. "$(dirname "$0")/../lib.sh"

# said WHAT ARGUMENTS…: each line of standard input is part of a line that is told.
said() {
	local what=$1
	timeout 20 "$DTX" "${@:2}" >"$tmp/out" 2>"$tmp/err"
	while IFS= read -r line; do grep -qF -- "$line" "$tmp/err" || fail "$what: no '$line' in: $(cat "$tmp/err")"; done
}
# silent WHAT ARGUMENTS…
silent() {
	timeout 20 "$DTX" "${@:2}" >"$tmp/out" 2>"$tmp/err"
	grep -q 'nothing was traced' "$tmp/err" && fail "$1: $(cat "$tmp/err")"
	return 0
}

said 'a predicate' -n 'syscall::getpgid:entry /arg0 == 12345/ { trace(1); }' -c "$t/threads 1 10 syscall" <<'EOF'
dtx: nothing was traced in
-n:1:1: note: its probe fired, but its predicate was never true: /arg0 == 12345/
dtx: help: see what there is without the predicate: dtx -n 'syscall:vmlinux:getpgid:entry { @[execname] = count(); }'
EOF
said 'a probe of two' -n 'syscall::getpgid:entry /0/ { trace(1); } syscall::swapoff:entry, syscall::swapon:entry { trace(2); }' -c "$t/threads 1 10 syscall" <<'EOF'
-n:1:1: note: its probe fired, but its predicate was never true: /0/
-n:1:42: note: none of its probes fired: syscall:vmlinux:swapoff:entry and 1 more
dtx: help: the program did not do it in this time
EOF
# Of a clause that only assigns it is not known whether its predicate was true.
said 'a clause that assigns' -n 'syscall::getpgid:entry /pid/ { self->x = 1; } syscall::getpgid:return /self->x == 7/ { @ = count(); }' -c "$t/threads 1 10 syscall" <<'EOF'
-n:1:47: note: its probe fired, but its predicate was never true: /self->x == 7/
EOF
! grep -F '/pid/' "$tmp/err" || fail "a clause that assigns: $(cat "$tmp/err")"
said 'aggregations, and timers' -n 'syscall::swapoff:entry { @[execname] = count(); } tick-20ms { printa(@); } tick-60ms { exit(0); }' <<'EOF'
dtx: nothing was traced in
-n:1:1: note: its probe never fired: syscall:vmlinux:swapoff:entry
EOF
said 'a heading' -qn '#pragma D option quiet
BEGIN { printf("TIME\n"); } syscall::swapoff:entry { trace(1); } tick-40ms { exit(0); }' -x quietempty=off </dev/null
said 'another process' -n 'syscall::getpgid:entry { trace(1); } syscall::swapoff:entry { trace(1); }' -p $$ --duration 100ms <<'EOF'
dtx: help: 
EOF
# A function that only children of the command call.
if [ -e /sys/bus/event_source/devices/uprobe ]; then
	said 'children' -n "uprobe:$t/threads:hit:entry { @ = count(); }" -c "sh -c '$t/threads 1 10 hit; true'" <<'EOF'
dtx: help: the process did not do it in this time: if one that it starts does it, add --follow; else, is it the right process, and the right function?
EOF
	said 'children, followed' --follow -n "uprobe:$t/threads:hit:entry /0/ { @ = count(); }" -c "sh -c '$t/threads 1 10 hit; true'" <<'EOF'
dtx: help: see what there is without the predicate
EOF
fi
said 'another name' --comm nobody -n 'syscall::getpgid:entry { trace(1); }' -c "$t/threads 1 10 syscall" <<'EOF'
-n:1:1: note: its probe fired, but not in what --comm nobody selects
dtx: help: only what --comm nobody selects is traced: leave it out to see whether others do it
EOF
said '$target' -n 'syscall::getpgid:entry /pid == $target/ { trace(1); }' --duration 50ms <<'EOF'
dtx: help: $target is 0: it is the process of -p PID or -c COMMAND
EOF
# The -q of a tool's first line is not the user's.
printf '#!/usr/bin/dtx -qs\nsyscall::swapoff:entry\n{\n\ttrace(1);\n}\n' >"$tmp/tool.d"
said 'a tool' -qs "$tmp/tool.d" --duration 50ms <<EOF
$tmp/tool.d:2:1: note: its probe never fired: syscall:vmlinux:swapoff:entry
EOF
said 'a tool as an operand' "$tmp/tool.d" --duration 50ms <<'EOF'
nothing was traced
EOF
said 'no target' memleak --duration 50ms <<'EOF'
dtx: memleak.d needs a process: -p PID or -c COMMAND; --help explains it
EOF
said 'no target, -Z' -Zqn 'pid$target:libc:malloc:entry { @ = count(); }' --duration 50ms <<'EOF'
give it with -p PID or -c COMMAND
EOF

silent -q -qn 'syscall::swapoff:entry { trace(1); }' --duration 50ms
silent 'the option' -x quietempty -n 'syscall::swapoff:entry { trace(1); }' --duration 50ms
silent 'a tool with -q' -qs "$tmp/tool.d" -q --duration 50ms
silent 'no output is wanted' -n 'syscall::swapoff:entry { x = 1; }' --duration 50ms
silent 'only BEGIN' -n 'BEGIN { exit(0); }'
silent 'an event' -n 'syscall::getpgid:entry { trace(1); }' -c "$t/threads 1 10 syscall"
silent 'a row' -n 'syscall::getpgid:entry { @ = count(); }' -c "$t/threads 1 10 syscall"
silent 'rows that were printed' -n 'syscall::getpgid:entry { @ = count(); } END { printa(@); trunc(@); }' -c "$t/threads 1 10 syscall"
silent 'a fault' -n 'syscall::getpgid:entry { trace(1 / (arg0 - arg0)); }' -c "$t/threads 1 10 syscall"

# It is in format=json, too.
"$DTX" -x format=json -n 'syscall::swapoff:entry { trace(1); }' --duration 50ms >"$tmp/out" 2>/dev/null
grep '"kind":"notice"' "$tmp/out" | grep -qF '"notes":[{"text":"its probe never fired: syscall:vmlinux:swapoff:entry","file":"-n","line":1,"column":1}]' || fail "$(cat "$tmp/out")"

# What was marked goes on when something is shown: all calls are counted, whenever the first came.
"$DTX" -qn 'syscall::getpgid:entry { trace(1); @ = count(); } syscall::swapoff:entry { trace(2); } END { printf("\n"); printa("%@d\n", @); }' -c "$t/threads 2 4000 syscall" >"$tmp/out" 2>"$tmp/err"
same 1 "$(grep -cx ' *8000' "$tmp/out")" 'calls'
# clear() keeps the rows: those of 0 are told, unless the values were printed before.
for f in 'count()' 'min(arg0)' 'quantize(arg0)' 'avg(arg0)'; do
	for at in "@" '@a[execname]'; do
		name=${at%[*}
		said "clear in END, $at = $f" -n "syscall::getpgid:entry { $at = $f; } END { clear($name); }" -c "$t/threads 1 10 syscall" <<EOF
dtx: all values of $name are 0: clear() keeps its rows, and no value came after it
dtx: help: to see the values, write printa($name) before clear($name), or leave clear() out; trunc($name) removes the rows
EOF
	done
done
unsaid() {
	timeout 20 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
	! grep -q 'clear() keeps' "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}
unsaid -n 'syscall::getpgid:entry { @ = count(); } END { printa(@); clear(@); }' -c "$t/threads 1 10 syscall"
unsaid -n 'syscall::getpgid:entry { @ = count(); } END { trunc(@); }' -c "$t/threads 1 10 syscall"
unsaid -n 'syscall::getpgid:entry { @ = sum(0); }' -c "$t/threads 1 10 syscall"
unsaid -n 'BEGIN { @ = count(); clear(@); } syscall::getpgid:entry { @ = count(); }' \
	-c "sh -c 'for i in 1 2 3 4 5; do $t/threads 1 10 syscall; sleep 0.1; done'"    # dtx clears when it has read that
unsaid -qn 'syscall::getpgid:entry { @ = count(); } END { clear(@); }' -c "$t/threads 1 10 syscall"

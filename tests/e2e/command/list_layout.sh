#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.l
#
# -l: DTrace's columns, and both halves of a system call; -lv: the names and types of its arguments.
. "$(dirname "$0")/../lib.sh"

dtx -l -n 'syscall::read:'
[ "$(head -n 1 "$tmp/out")" = "$(printf '%5s %10s %17s %33s %s' ID PROVIDER MODULE FUNCTION NAME)" ] || fail "the header differs"
same "syscall read entry
syscall read return" "$(awk 'NR > 1 { print $2, $(NF - 1), $NF }' "$tmp/out" | sort)" "the rows differ"
dtx -lv -n 'tracepoint:sched:sched_switch'
grep -q prev_pid "$tmp/out" || fail "the fields of a tracepoint are not listed"
grep -q 'pid_t\|int' "$tmp/out" || fail "nor their types"

# Two descriptions of one probe: one row; a description that matches nothing keeps no other from the list.
dtx -ln BEGIN -n dtrace:::BEGIN,END
same "1 2" "$(awk 'NR > 1 { printf "%s%s", s, $1; s = " " }' "$tmp/out")" "a probe twice in succession"
timeout 20 "$DTX" -ln nothing::: -n BEGIN >"$tmp/out" 2>"$tmp/err" || fail "a description without probes ends the list with status $?"
same "ID 1" "$(awk '{ printf "%s%s", s, $1; s = " " }' "$tmp/out")" "the list ends at what matches nothing"
grep -q "no probe matches 'nothing:::'" "$tmp/err" || fail "which description: $(cat "$tmp/err")"

dtx -ln 'END, BEGIN { } dtrace:::E* { }' -n 'BEGIN'
same "2 1 2 3 1" "$(awk 'NR > 1 { printf "%s%s", s, $1; s = " " }' "$tmp/out")" "the probes of each clause, in their order"
timeout 20 "$DTX" -ln 'nothing::: { trace(1); }' >"$tmp/out" 2>"$tmp/err" || fail "a clause without probes ends it with status $?"
grep -q "no probe matches 'nothing:::'" "$tmp/err" || fail "which clause: $(cat "$tmp/err")"

same 5 "$(head -n 1 "$tmp/out" | wc -w)" "the header alone"
echo 'nothing::: { trace(1); }' >"$tmp/none.d"; echo 'BEGIN { trace(nothing); }' >"$tmp/bad.d"
"$DTX" -ls "$tmp/none.d" >"$tmp/out" 2>"$tmp/err" || fail "a script without probes: $(cat "$tmp/err")"
"$DTX" -ls "$tmp/bad.d" >"$tmp/out" 2>"$tmp/err"
same 1 $? "status of a script that cannot be compiled"

# The parts of -lv, and nothing behind them; a probe without module and function is as stable as its name.
dtx -lv -n BEGIN
same "$(printf '%5s %10s %17s %33s %s\n' ID PROVIDER MODULE FUNCTION NAME 1 dtrace '' '' BEGIN
	printf '\n\tProbe Description Attributes\n\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n\t\tDependency Class: Common\n'
	printf '\n\tArgument Attributes\n\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n\t\tDependency Class: Common\n'
	printf '\n\tArgument Types\n\t\tNone\n\n.')" "$(cat "$tmp/out"; printf .)" "the layout of -lv"
dtx -lv -n syscall::read:entry
same "Private Private Unknown" "$(sed -n 's/^\t\t[A-Z].*: *//p' "$tmp/out" | head -n 3 | paste -sd ' ')" "one with a module"

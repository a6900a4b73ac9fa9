#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: flag.P flag.m flag.f flag.n flag.i flag.p flag.c macro.target platform.words platform.begin
#
# -P -m -f -n -i: where a description begins; predicates and bodies behind it; -l and -i. -c: split at blanks,
# $target; -p: tracing ends with the process, which goes on when tracing ends first.
. "$(dirname "$0")/../lib.sh"

rows() { dtx -l "$@"; sed 1d "$tmp/out" | awk '{ print $2 ":" ($4 == "" ? "" : $(NF - 1)) ":" $NF }' | sort; }
same 'dtrace::BEGIN
dtrace::END
dtrace::ERROR' "$(rows -P dtrace | sed 's/:[^:]*:/::/')" '-P'
same 'syscall:read:entry
syscall:read:return' "$(rows -m syscall:vmlinux | grep ':read:')" '-m'
same 'syscall:read:entry
syscall:read:return' "$(rows -f syscall::read)" '-f'
same 'syscall:read:entry' "$(rows -n syscall::read:entry)" '-n'
id=$("$DTX" -l -n syscall::read:entry | awk 'NR == 2 { print $1 }')
same 'syscall:read:entry' "$(rows -i "$id")" '-i'
dtx -q -P 'dtrace /probename == "BEGIN"/ { printf("%s\n", probename); exit(0); }'
same BEGIN "$(sed '/^$/d' "$tmp/out")" 'a predicate and a body behind -P'
dtx -q -i '1 { printf("one\n"); exit(0); }'
same one "$(sed '/^$/d' "$tmp/out")" 'a body behind -i'
dtx -q -n 'BEGIN { b++; } END { printf("%d\n", b); }' -n 'BEGIN { exit(0); } END { e++; }'
same 1 "$(sed '/^$/d' "$tmp/out")" 'BEGIN fires once'

dtx -q -c 'echo "a  b" $HOME' -n 'BEGIN { }'
same 'a  b $HOME' "$(sed '/^$/d' "$tmp/out")" '-c takes quoted words as a shell does, and expands nothing'
dtx -q -c "$t/sleeper 1" -n 'BEGIN { printf("%d\n", $target > 0); } syscall:::entry /pid == $target/ { n++; } END { printf("%d\n", n > 0); }'
same $'1\n1' "$(sed '/^$/d' "$tmp/out")" '$target of -c'
dtx -q -n 'BEGIN { printf("%d\n", $target); exit(0); }'
same 0 "$(sed '/^$/d' "$tmp/out")" '$target of nothing'
"$t/sleeper" 20000 & pid=$!
dtx -q -p $pid -n 'BEGIN { printf("%d\n", $target); exit(0); }'
same $pid "$(sed '/^$/d' "$tmp/out")" '$target of -p'
kill -0 $pid || fail 'a process of -p is killed at the end'
"$DTX" -q -p $pid -n 'BEGIN { printf("begun\n"); } END { printf("ended\n"); }' >"$tmp/out" & tracer=$!
awaits grep -q begun "$tmp/out"
kill $pid
wait $tracer || fail 'tracing of a killed process fails'
same $'begun\nended' "$(sed '/^$/d' "$tmp/out")" 'tracing ends with the process'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: strace
#
# All system calls through one pair of programs: the counts are strace's, call by call.
. "$(dirname "$0")/../lib.sh"

# strace does not count a call that never returns, nor does tracing from the first instruction see execve; the
# kernel's names of a few calls differ from the C library's.
rows() { grep -vE '^(execve|exit_group|exit) ' | sed -E 's/^new((f|l)?stat|uname) /\1 /; s/^sendfile64 /sendfile /' | sort; }

strace -f -c -o "$tmp/strace" "$t/syscalls" 13 || skip "strace cannot trace here"
awk '$1 ~ /^[0-9.]+$/ && $NF != "total" { print $NF, $4 }' "$tmp/strace" | rows >"$tmp/theirs"
dtx -x evaltime=exec -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' -c "$t/syscalls 13"
awk 'NF == 2 { print $1, $2 }' "$tmp/out" | rows >"$tmp/ours"
grep -qx 'getppid 1300' "$tmp/theirs" || fail "strace does not count as expected"
diff -u --label strace --label dtx "$tmp/theirs" "$tmp/ours" >&2 || fail "the counts differ"

# Returns are as many as entries.
dtx -x evaltime=exec -n 'syscall:::return /pid == $target/ { @[probefunc] = count(); }' -c "$t/syscalls 13"
awk 'NF == 2 { print $1, $2 }' "$tmp/out" | rows >"$tmp/ours"
diff -u --label strace --label dtx "$tmp/theirs" "$tmp/ours" >&2 || fail "the counts of returns differ"

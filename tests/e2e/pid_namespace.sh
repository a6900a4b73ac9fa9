#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare
# where: both
# timeout: 60
#
# In a pid namespace of its own dtx speaks of processes by their numbers there: pid, tid, ppid, pr_pid, $target and
# progenyof() are what the program itself and /proc say; what is outside has the number 0.
. "$(dirname "$0")/lib.sh"
export t tmp DTX

# Outside all the while: a program of one name that goes on making one system call.
cp "$t/syscalls" "$tmp/outside"
"$tmp/outside" 100000000 >/dev/null &
outside=$!
trap 'kill $outside; rm -rf "$tmp"' EXIT

cat >"$tmp/inner" <<'END'
sleep 30 &                                # numbers that are not those of dtx and its command
first=$!
mkfifo "$tmp/go"
(read -r x <"$tmp/go"; cd /; exec true) &
known=$!
"$DTX" -qn '
	syscall::chdir:entry /pid == '$known'/ { printf("chdir %d %d %d %d %d\n", pid, tid, ppid == '$$', progenyof('$$'), curpsinfo->pr_pid); }
	syscall:::entry /pid == $target && !target++/ { printf("target %d %d\n", tid == $target, progenyof($pid)); system("echo go >%s/go", $$1); }
	proc:::create /execname == "sh"/ { printf("child %d\n", args[0]->pr_pid); }
	syscall:::entry /execname == "outside" && !seen/ { seen = 1; printf("outside %d %d %d\n", pid, tid, ppid); }
	syscall::exit_group:entry /pid == $target/ { told = 1; }
	proc:::exit /pid == '$known'/ { done = 1; }
	tick-10ms /told && done && seen/ { exit(0); }' -w "$tmp" \
	-c "sh -c 'sh -c \"echo inner \\\$\\\$ >>$tmp/said; while [ -e /proc/$known ]; do sleep 0.05; done\" & echo child \$! >>$tmp/said; wait'" >"$tmp/out" 2>"$tmp/err"
echo "status $? $known" >>"$tmp/said"
kill $first
END
unshare -p -f --mount-proc bash "$tmp/inner"
read -r _ status known < <(grep status "$tmp/said")
[ "$status" = 0 ] || { cat "$tmp/out" "$tmp/err" >&2; fail "dtx ended with status $status"; }
same "chdir $known $known 1 1 $known" "$(grep '^chdir' "$tmp/out")" "the process that was there before"
same "target 1 1" "$(grep '^target' "$tmp/out" | head -n 1)" "the command"
same "$(grep '^child' "$tmp/said")" "$(grep '^child' "$tmp/out" | head -n 1)" "the child of the command"
same "outside 0 0 0" "$(grep '^outside' "$tmp/out")" "a process outside"
[ "$known" -lt 1000 ] || fail "$known is no number of a new namespace"

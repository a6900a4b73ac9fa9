#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare
# where: both
# timeout: 60
#
# In a pid namespace of its own dtx speaks of processes by their numbers there: pid, tid, ppid, pr_pid, pr_pgid, pr_sid,
# $target and progenyof() are what the programs themselves are told; what is outside has the number 0.
. "$(dirname "$0")/../lib.sh"
export t tmp DTX

# Outside all the while: a program of one name that goes on making one system call.
cp "$t/syscalls" "$tmp/outside"
"$tmp/outside" 100000000 >/dev/null &
outside=$!
trap 'kill $outside; rm -rf "$tmp"' EXIT

# The command: it starts a child, says its number, and stays until the others have been seen.
cat >"$tmp/command" <<-'END'
	sh -c 'exit 3' &
	echo "child $!" >>"$tmp/said"
	wait
	until [ -e "$tmp/over" ]; do sleep 0.05; done
END
cat >"$tmp/inner" <<'END'
mkfifo "$tmp/go"
setsid bash -c 'read -r x <"$tmp/go"; cd /; exec true' &
known=$!
"$DTX" -qw -o "$tmp/out" -n '
	syscall::chdir:entry /pid == '$known'/ {
		printf("chdir %d %d %d %d %d %d %d\n", pid, tid, ppid == '$$', progenyof('$$'), curpsinfo->pr_pid,
		    curpsinfo->pr_pgid, curpsinfo->pr_sid);
	}
	syscall:::entry /pid == $target && !target++/ {
		printf("target %d %d %d %d\n", tid == $target, ppid == $pid, progenyof($pid), curpsinfo->pr_sid);
		system("echo go >%s/go", $$1);
	}
	proc:::create /pid == $target && !child++/ { printf("child %d\n", args[0]->pr_pid); }
	syscall:::entry /execname == "outside" && !seen++/ { printf("outside %d %d %d\n", pid, tid, ppid); }
	proc:::exit /pid == '$known'/ { done = 1; }
	tick-10ms /done && seen && !over++/ { system("touch %s/over", $$1); }' "$tmp" -c "sh $tmp/command" 2>"$tmp/err"
echo "status $? $known" >>"$tmp/said"
END
unshare -p -f --mount-proc bash "$tmp/inner"
read -r _ status known < <(grep status "$tmp/said")
[ "$status" = 0 ] || { cat "$tmp/err" >&2; fail "dtx ended with status $status"; }
[ "$known" -lt 1000 ] || fail "$known is no number of a new namespace"
same "chdir $known $known 1 1 $known $known $known
$(grep '^child' "$tmp/said")
outside 0 0 0
target 1 1 1 0" "$(grep . "$tmp/out" | sort)" "the numbers of processes"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# One-liners as DTrace's users write them, on stable providers: each with a program whose answer is known.
. "$(dirname "$0")/../lib.sh"

# answer LINE COMMAND PROGRAM…: some line of the output, blanks made one, is LINE.
answer() {
	local line=$1 command=$2
	shift 2
	dtx "$@" -c "$command"
	awk '{ $1 = $1; print }' "$tmp/out" | grep -qxF -- "$line" || { head -50 "$tmp/out" >&2; fail "no line '$line' by $*"; }
}
printf '%4999s\n' x >"$tmp/data"
echo "cat $tmp/data >/dev/null; exit 3" >"$tmp/script"
echo 'sleep 20 & kill -9 $!' >"$tmp/killer"
dd="dd if=$tmp/data of=/dev/null bs=5000 count=1 status=none"

answer "cat $tmp/data" "sh $tmp/script" -qn 'proc:::exec-success { printf("%s\n", curpsinfo->pr_psargs); }'
answer 'sh 1 1' "sh $tmp/script" -qn 'proc:::exit /pid == $target/ { @[execname, args[0]] = count(); }'
dtx -n 'proc:::exec-success { trace(curpsinfo->pr_psargs); }' -c "sh $tmp/script"
grep -qE "^ +[0-9]+ +[0-9]+ +:exec-success   cat $tmp/data *\$" "$tmp/out" || { cat "$tmp/out" >&2; fail "trace() of the arguments"; }
answer "$tmp/data 5000" "$dd" -qn 'syscall::read:entry /pid == $target/ { @[fds[arg0].fi_pathname] = sum(arg2); }'
answer 'dd data' "$dd" -qn 'syscall::read:entry /pid == $target && arg2 == 5000/ { printf("%s %s\n", execname, fds[arg0].fi_name); }'
answer 'slept 1' 'sleep 0.3' -qn '
	sched:::off-cpu /pid == $target/ { self->t = timestamp; }
	sched:::on-cpu /self->t/ { @["slept"] = max(timestamp - self->t >= 250000000); self->t = 0; }'
answer 'sleep 1' 'sleep 0.1' -qn 'sched:::sleep /pid == $target/ { @[curpsinfo->pr_fname] = max(1); }'
answer '127.0.0.1 9' "$t/talk 127.0.0.1" -qn 'tcp:::accept-established { @[args[3]->tcps_raddr] = max(9); }'
answer '::1 9' "$t/talk ::1" -qn 'tcp:::connect-established { @[args[3]->tcps_raddr] = max(9); }'
answer 'kill 9' "sh $tmp/killer" -qn 'proc:::signal-send /args[2] == 9 && execname == "sh"/ { printf("kill %d\n", args[2]); }'
answer 'readch 5000' "$dd" -qn 'sysinfo:::readch /pid == $target && arg0 == 5000/ { @[probename] = sum(arg0); }'

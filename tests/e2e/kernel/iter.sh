#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# iter: each task and each open file once, as /proc has them; then the tracing ends.
# needs: root btf
# where: both
set -eu
failed=0
dir=$(mktemp -d)
trap 'kill $sleeper 2>/dev/null; rm -rf "$dir"' EXIT
: >"$dir/opened here"
sleep 3600 5<"$dir/opened here" 6>"$dir/written" </dev/null >/dev/null 2>&1 &
sleeper=$!
until [ "$(cat /proc/$sleeper/comm)" = sleep ]; do :; done

got=$("$DTX" -qn 'iter:task /task->tgid == $1/ { printf("%d %s %d", task->pid, task->comm, ctx.task->real_parent->tgid); }' $sleeper)
if [ "$got" != "$sleeper sleep $$" ]; then echo "task: '$got'" && failed=1; fi

got=$("$DTX" -qn 'iter:task_file /args[0]->pid == $1 && (fd == 5 || fd == 6)/ { printf("%d %s,", fd, stringof(file->f_path.dentry->d_name.name)); }
	END { printf("end"); }' $sleeper)
want="5 opened here,6 written,"
if [ "$got" != "${want}end" ]; then echo "files: '$got', not '${want}end'" && failed=1; fi

# Beside other probes, and with exit() in the middle.
got=$("$DTX" -qn 'iter:task /task->pid == $1/ { printf("%s ", task->comm); seen = 1; } tick-10ms /seen/ { exit(0); } END { printf("end"); }' $sleeper)
if [ "$got" != "sleep end" ]; then echo "with tick: '$got'" && failed=1; fi
"$DTX" -qn 'iter:task { exit(3); }' || [ $? = 3 ] || failed=1

[ "$("$DTX" -ln iter:task | tail -1 | awk '{ print $2, $3 }')" = "iter task" ] || failed=1
if "$DTX" -n iter:tusk 2>"$dir/err" || ! grep -q 'dtx -ln iter::: lists' "$dir/err"; then cat "$dir/err" && failed=1; fi
exit $failed

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
# timeout: 60
#
# proc in a storm: 150 processes whose threads end together, after each other, by kill, by exec of a thread, after the
# first one, and by vfork. Each process is created and ends once, each thread too, or the kernel says what it skipped.
# truth: proc:::create | how many processes a program made, by fork and vfork | the program's own count
# truth: proc:::exit | once a process, whatever its threads do | the program's own count, by wait()
# truth: proc:::exit, args[0] | CLD_KILLED or CLD_EXITED of processes with threads | wait() of the parent
# truth: proc:::lwp-exit | once a thread, also of those that exec and kill end | the program's own count
# truth: proc:::lwp-create | all threads of the machine | "processes" of /proc/stat, before and after
# truth: proc:::exec-success | execs by a thread that is not the first | the program's own count
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/storm.d" <<-'END'
	#pragma D option quiet
	syscall::getpgid:entry /pid == $target/ { outer = arg0 < 4; inner = arg0 == 2; }
	proc:::lwp-create /outer/ { @all["outer"] = count(); }
	proc:::lwp-create /inner/ { @all["inner"] = count(); }
	proc:::create /pid == $target/ { @n["create"] = count(); }
	proc:::lwp-create /ppid == $target/ { @n["thread"] = count(); }
	proc:::exit /ppid == $target/ { @n["exit"] = count(); @per[pid] = count(); }
	proc:::exit /ppid == $target && args[0] == CLD_KILLED/ { @n["killed"] = count(); }
	proc:::exit /ppid == $target && args[0] == CLD_EXITED/ { @n["exited"] = count(); }
	proc:::lwp-exit /ppid == $target/ { @n["lwp-exit"] = count(); }
	proc:::exec-success /ppid == $target/ { @n["exec"] = count(); }
	END { printa("  %s %@d\n", @all); printa("  seen-%s %@d\n", @n); printa("per process %d %@d\n", @per); }
END
dtx -s "$tmp/storm.d" -c "$t/storm"
for name in processes threads killed execs forks; do declare "$name=$(value $name)"; done
[ "$processes" = 150 ] && [ "$killed" = 25 ] || fail "the program made something else: $(cat "$tmp/out")"
for row in "create $processes" "thread $threads" "exit $processes" "killed $killed" "exited $((processes - killed))" \
	"lwp-exit $((processes + threads))" "exec $execs"; do
	read -r name want <<<"$row"
	accounts "$(value "seen-$name")" "$want" || fail "$name: $(value "seen-$name"), not $want: $(cat "$tmp/err")"
done
same '' "$(grep '^per process' "$tmp/out" | grep -v ' 1$')" 'processes that end more than once'
# A task that another CPU makes at this moment may be counted and not told yet.
cpus=$(nproc)
[ $(($(value inner) - cpus)) -le "$forks" ] && [ $(($(value outer) + $(skipped) + cpus)) -ge "$forks" ] ||
	fail "/proc/stat: $forks new tasks; lwp-create: $(value inner) to $(value outer)"

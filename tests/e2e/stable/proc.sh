#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# proc and sched: tests/trigger/life does each thing once; the firings that belong to it and its children, with
# their arguments, and no others of these probes.  (Of one process, so that others' do not count.)
# truth: proc:::start, lwp-start | a process and a thread run for the first time | the program
# truth: proc:::exec, args[0] | the path of the program | the program
# truth: proc:::exec-failure, args[0] | the error number | the program
# truth: proc:::signal-send, signal-discard, args[2] | the signal, and whom it is sent to | the program
# truth: proc:::signal-handle, args[0], args[2] | the signal and its handler | the program
# truth: proc:::signal-clear, args[0] | the signal that sigwait took | the program
# truth: proc:::fault, args[0], args[1]->si_code | the signal of a fault and its kind | the program
# truth: sched:::surrender | sched_yield, with its thread | the program
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/life.d" <<-'END'
	#pragma D option quiet
	proc:::create /pid == $target/ { printf("create %d by %d\n", args[0]->pr_pid, args[0]->pr_ppid); }
	proc:::lwp-create /pid == $target/ { printf("lwp-create %d of %d\n", args[0]->pr_lwpid, args[1]->pr_pid); }
	proc:::start /ppid == $target/ { printf("start %d\n", pid); }
	proc:::lwp-start /ppid == $target || pid == $target/ { printf("lwp-start %d of %d\n", tid, pid); }
	proc:::exit /ppid == $target/ { printf("exit %d %d\n", pid, args[0]); }
	proc:::lwp-exit /pid == $target && tid != pid/ { printf("lwp-exit %d\n", tid); }
	proc:::exec /ppid == $target/ { printf("exec %d %s\n", pid, args[0]); }
	proc:::exec-failure /ppid == $target/ { printf("exec-failure %d %d\n", pid, args[0]); }
	proc:::exec-success /ppid == $target/ { printf("exec-success %d %s: %s\n", pid, execname, curpsinfo->pr_psargs); }
	proc:::signal-send /pid == $target && args[2] != 17/ { printf("send %d to %d\n", args[2], args[1]->pr_pid); }
	proc:::signal-discard /ppid == $target/ { printf("discard %d %d\n", args[2], args[1]->pr_pid); }
	proc:::signal-handle /pid == $target/ { printf("handle %d %d\n", args[0], args[2] != NULL); }
	proc:::signal-clear /pid == $target/ { printf("clear %d\n", args[0]); }
	proc:::fault /ppid == $target/ { printf("fault %d of %d code %d\n", args[0], pid, args[1]->si_code); }
	sched:::surrender /pid == $target/ { printf("surrender %d %s\n", args[0]->pr_lwpid, args[1]->pr_fname); }
END
dtx -s "$tmp/life.d" -c "$t/life"
of() { awk -v name="$1" '$1 == name && NF == 2 { print $2 }' "$tmp/out"; }
self=$(of self) exits=$(of exits) killed=$(of killed) faults=$(of faults) execs=$(of execs) ignores=$(of ignores) thread=$(of thread)
want="create $exits by $self
lwp-create $exits of $exits
start $exits
lwp-start $exits of $exits
exit $exits 1
create $killed by $self
lwp-create $killed of $killed
start $killed
lwp-start $killed of $killed
exit $killed 2
create $faults by $self
lwp-create $faults of $faults
start $faults
lwp-start $faults of $faults
fault 11 of $faults code 1
exit $faults 2
create $execs by $self
lwp-create $execs of $execs
start $execs
lwp-start $execs of $execs
exec $execs /nosuch/program
exec-failure $execs 2
exec $execs /bin/true
exec-success $execs true: yes one two
exit $execs 1
lwp-create $thread of $self
lwp-start $thread of $self
lwp-exit $thread
send 10 to $self
handle 10 1
create $ignores by $self
lwp-create $ignores of $ignores
start $ignores
lwp-start $ignores of $ignores
exit $ignores 1
discard 12 $ignores
$(printf 'discard 17 %d\n' $self $self $self $self $self)
send 34 to $self
clear 34
surrender $self life"
sort <<<"$want" >"$tmp/want"
grep -vE '^(self|exits|killed|faults|ignores|execs|thread) |^handle 17 |^$' "$tmp/out" | sort >"$tmp/got"
# A preemptible kernel may skip some, and says how many.
[ -z "$(comm -13 "$tmp/want" "$tmp/got")" ] && accounts "$(wc -l <"$tmp/got")" "$(wc -l <"$tmp/want")" ||
	same "$(cat "$tmp/want")" "$(cat "$tmp/got")" "not what the program did: $(cat "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# truth: stack(), stackdepth, caller at tracepoints and system calls | frames of the kernel's tracer: none; depth and caller as in stack() | the names of the frames
#
# Between a tracepoint and a program are functions of the kernel's tracer: one that has several programs has one more. None is a
# frame, whichever kind of program it is, and whether it is alone or not; the function with the event is the first. (Further on they
# may be: an event interrupts a program. Of such a stack the store may have no room: 0 frames, which is told.)
. "$(dirname "$0")/../lib.sh"

report='{ printf("= %s:::%s %d %a", probeprov, probename, stackdepth, caller); stack(60); }'

# check NAME: each stack of the output
check() {
	awk -v name="$1" '
	function over() {
		if (n && (n != depth || second != caller && depth > 1)) { print head, "but", n, "frames, then", second; bad = 1 }
	}
	/^=/ { over(); head = $0; depth = $3; caller = $4; n = 0; second = "" ; seen++ }
	!n && /^ .*`/ && (head ~ /sched_switch/ && !/`__schedule/ || head ~ /sched_waking/ && !/`try_to_wake_up/) { print head, "begins at", $0; bad = 1 }
	/^ .*(`|0x)/ { if (++n == 2) second = $1 }
	n < 3 && /__traceiter_|__bpf_trace_|bpf_trace_run|bpf_prog_|perf_trace_|perf_syscall_|trace_call_bpf|perf_call_bpf/ { print head, $0; bad = 1 }
	END { over(); if (seen < 5) { print name, "has only", seen + 0, "stacks"; bad = 1 } exit bad }' "$tmp/out" ||
		fail "$1: $(cat "$tmp/err")"
}

events=sched_process_fork,sched_process_exit,sched_process_exec,sched_waking,sched_switch,signal_generate
work='for i in 1 2 3; do /bin/true; done; kill -CONT $$'
list() { sed "s/[^,]*/$1:::&/g" <<<"$events"; }
of_command='/pid == $target || ppid == $target/'

dtx -qn "$(list tracepoint) $of_command $report" -c "sh -c '$work'"
check 'alone, by BTF'
dtx -qn "$(list tracepoint), $(list rawtp) $of_command $report
	$(list rawtp) { @ = count(); }" -c "sh -c '$work'"
check 'with others'
dtx -qn "tracepoint:::signal_generate /args.sig >= 0/ $report tracepoint:::sched_process_fork /args.child_comm != \"\"/ $report
	tracepoint:::sched_waking /args.comm != \"\"/ $report tracepoint:::sched_switch /args.prev_prio >= 0/ $report" -c "sh -c '$work'"
check 'by records'
dtx -qn "syscall::kill:, syscall::exit_group:entry, syscall::wait4: $of_command $report" -c "sh -c '$work'"
check 'system calls'
dtx -qn "syscall::kill:, syscall::exit_group:entry, syscall::wait4: $of_command $report
	rawtp:::sys_enter, tracepoint:::sys_exit { @ = count(); }" -c "sh -c '$work'"
check 'system calls with others'

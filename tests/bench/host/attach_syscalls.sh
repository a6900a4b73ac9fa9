# SPDX-License-Identifier: BSD-2-Clause
what="all system calls, entry and return: attach, detach, exit" unit=ms target=200
tools="dtx bpftrace"

tool_dtx() { wall "$DTX" -qn 'syscall::: { @[probefunc] = count(); } BEGIN { exit(0); }'; }
# Takes the better part of a minute: once is enough.
tool_bpftrace() {
	[ "$round" = 0 ] && have bpftrace || return
	wall env BPFTRACE_MAX_PROBES=5000 BPFTRACE_MAX_BPF_PROGS=5000 bpftrace -e 'tracepoint:syscalls:sys_* { @ = count(); } BEGIN { exit(); }'
}

# SPDX-License-Identifier: BSD-2-Clause
what="all system calls, entry and return: attach, detach, exit" unit=ms target=200
tools=dtx late=bpftrace

tool_dtx() { wall "$DTX" -qn 'syscall::: { @[probefunc] = count(); } BEGIN { exit(0); }'; }
tool_bpftrace() { have bpftrace && patient bpftrace -e 'tracepoint:syscalls:sys_* { @ = count(); } BEGIN { exit(); }'; }

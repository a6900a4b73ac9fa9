# SPDX-License-Identifier: BSD-2-Clause
what="all kernel tracepoints: attach, detach, exit" unit=ms target=1.2hand
tools="hand dtx" late=bpftrace

tool_dtx()  { wall "$DTX" -qn 'tracepoint::: { @ = count(); } BEGIN { exit(0); }'; }
tool_hand() { wall "$made/hand" "$made/hand.bpf.o" every_tracepoint /bin/true; }
tool_bpftrace() { have bpftrace && patient bpftrace -e 'tracepoint:* { @ = count(); } BEGIN { exit(); }'; }

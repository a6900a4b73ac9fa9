# SPDX-License-Identifier: BSD-2-Clause
what="time of a program that does nothing and exits" unit=ms target=20
tools="hand dtx bpftrace perf" rounds=11

tool_dtx()      { wall "$DTX" -x cache=off -qn 'BEGIN { exit(0); }'; }
tool_hand()     { wall "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
tool_bpftrace() { have bpftrace && wall bpftrace -e 'BEGIN { exit(); }'; }
tool_perf()     { have perf && wall perf stat true; }

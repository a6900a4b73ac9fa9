# SPDX-License-Identifier: BSD-2-Clause
what="peak memory of a program that does nothing and exits" unit=MB target=25
tools="hand dtx bpftrace perf" rounds=3

peak() { "$triggers/measure" 1 "$@" | awk '{ print $3 / 1024 }'; }
tool_dtx()      { peak "$DTX" -x cache=off -qn 'BEGIN { exit(0); }'; }
tool_hand()     { peak "$made/hand" "$made/hand.bpf.o" rawtp_count /bin/true; }
tool_bpftrace() { have bpftrace && peak bpftrace -e 'BEGIN { exit(); }'; }
tool_perf()     { have perf && peak perf stat true; }

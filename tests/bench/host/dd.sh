# SPDX-License-Identifier: BSD-2-Clause
what="dd of 2,000k blocks of 512 bytes while every system call is counted by program" unit=s target=1perf
tools="untraced hand dtx bpftrace perf" rounds=5
blocks=${BENCH_BLOCKS:-2000k}

copy=(dd if=/dev/zero of=/dev/null bs=512 count="$blocks")
seconds() { sed -n 's/.* copied, \([0-9.]*\) s.*/\1/p' "$tmp/out"; }
tool_untraced() { "${copy[@]}" 2>"$tmp/out"; seconds; }
tool_dtx()      { timeout 120 "$DTX" -qn 'syscall:::entry { @[execname] = count(); }' -c "${copy[*]}" >"$tmp/out" 2>&1; seconds; }
tool_hand()     { timeout 120 "$made/hand" "$made/hand.bpf.o" sysenter_comm "$(command -v dd)" "${copy[@]:1}" 2>"$tmp/out"; seconds; }
tool_bpftrace() { have bpftrace && timeout 120 bpftrace -e 'tracepoint:raw_syscalls:sys_enter { @[comm] = count(); }' -c "${copy[*]}" >"$tmp/out" 2>&1; seconds; }
tool_perf()     { have perf && timeout 120 perf stat -e raw_syscalls:sys_enter "${copy[@]}" 2>"$tmp/out" >/dev/null; seconds; }

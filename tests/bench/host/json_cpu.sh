# SPDX-License-Identifier: BSD-2-Clause
what="processor time of the tracer for a million of these events, as JSON and as text" unit="ms" target='1.5 text'
tools="dtx text bpftrace" rounds=5
events=200000

# spent COMMAND…: processor time of all, less that of the loop (five rounds).
spent() {
	local TIMEFORMAT='%U %S'
	rm -f "$tmp/load"
	{ time LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/lines" 2>"$tmp/lost"; } 2>"$tmp/times"
	awk 'NR == FNR { all = $1 + $2; next } { print all * 1000 - $5 * 5 / 1e6 }' "$tmp/times" "$tmp/load"
}
program='syscall::getppid:entry /pid == $target/ { printf("x %d\n", arg0); }'
tool_dtx()      { spent "$DTX" -q --format json -n "$program" -c "$made/load getppid $events"; }
tool_text()     { spent "$DTX" -qn "$program" -c "$made/load getppid $events"; }
tool_bpftrace() { have bpftrace && spent bpftrace -f json -e 'tracepoint:syscalls:sys_enter_getppid { printf("x %d\n", pid); }' -c "$made/load getppid $events"; }

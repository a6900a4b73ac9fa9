# SPDX-License-Identifier: BSD-2-Clause
what="processor time of the tracer for a line with two strings and a number: to a file, a pipe, a terminal, as JSON" unit="ns a line" target=-
tools="dtx pipe terminal json copy perf bpftrace" rounds=5
events=200000

# spent COMMAND…: processor time of all, less that of the loop (five rounds), for each line that came out.
spent() {
	local TIMEFORMAT='%U %S'
	rm -f "$tmp/load" "$tmp/lines"
	{ time LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/lines" 2>"$tmp/lost"; } 2>"$tmp/times"
	awk -v lines="$(grep -ac getppid "$tmp/lines")" 'NR == FNR { all = $1 + $2; next }
		lines { print (all * 1e9 - $5 * 5) / lines }' "$tmp/times" "$tmp/load"
}
program='syscall::getppid:entry /pid == $target/ { printf("%s %d %s\n", execname, pid, probefunc); }'
traced=("$DTX" -qn "$program" -c "$made/load getppid $events")
through() { spent bash -c '"$@" | cat' - "${traced[@]}"; }
tool_dtx()      { spent "${traced[@]}"; }
tool_pipe()     { through; }
tool_terminal() { spent script -qefc "${traced[*]@Q}" /dev/null; }
tool_json()     { spent "$DTX" -q --format json -n "$program" -c "$made/load getppid $events"; }
# What nobody can save: the text of the lines is written.
tool_copy()     {
	local TIMEFORMAT='%U %S'
	[ -s "$tmp/lines.kept" ] || LOAD_OUT=$tmp/load "${traced[@]}" >"$tmp/lines.kept" 2>/dev/null
	{ time cat "$tmp/lines.kept" >"$tmp/lines"; } 2>"$tmp/times"
	awk -v lines="$(wc -l <"$tmp/lines.kept")" '{ print ($1 + $2) * 1e9 / lines }' "$tmp/times"
}
tool_perf()     {
	have perf && spent bash -c 'perf record -qo "$0" -e syscalls:sys_enter_getppid -- $1 && perf script -i "$0" -F comm,pid,event' \
		"$tmp/perf.data" "$made/load getppid $events"
}
tool_bpftrace() { have bpftrace && spent bpftrace -e 'tracepoint:syscalls:sys_enter_getppid { printf("%s %d %s\n", comm, pid, probe); }' -c "$made/load getppid $events"; }

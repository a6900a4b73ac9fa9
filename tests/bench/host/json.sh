# SPDX-License-Identifier: BSD-2-Clause
what="one JSON object per event from a tight loop to a file: objects delivered a second" unit="objects/s" target='>1000000'
tools="dtx text bpftrace" rounds=5
events=200000

# delivered PATTERN COMMAND…: lines of the pattern, written in the time the loop ran.
delivered() {
	local pattern=$1
	shift
	rm -f "$tmp/load" "$tmp/lines"
	LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/lines" 2>"$tmp/lost"
	awk -v lines="$(grep -c "$pattern" "$tmp/lines")" '{ print lines / ($3 * 5 / 1e9) }' "$tmp/load"
}
program='syscall::getppid:entry /pid == $target/ { printf("x %d\n", arg0); }'
tool_dtx()      { delivered '^{"type":"record".*"text":"x ' "$DTX" -q --format json -n "$program" -c "$made/load getppid $events"; }
tool_text()     { delivered '^x ' "$DTX" -qn "$program" -c "$made/load getppid $events"; }
tool_bpftrace() { have bpftrace && delivered '^{"type": "printf"' bpftrace -f json -e 'tracepoint:syscalls:sys_enter_getppid { printf("x %d\n", pid); }' -c "$made/load getppid $events"; }

# SPDX-License-Identifier: BSD-2-Clause
what="one short line per event from a tight loop to a file: lines delivered a second" unit="lines/s" target='>1000000'
tools="dtx bpftrace" rounds=5
events=200000

# delivered COMMAND…: lines written in the time the loop ran.
delivered() {
	rm -f "$tmp/load" "$tmp/lines"
	LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/lines" 2>"$tmp/lost"
	awk -v lines="$(grep -c '^x ' "$tmp/lines")" '{ print lines / ($3 * 5 / 1e9) }' "$tmp/load"
}
tool_dtx()      { delivered "$DTX" -qn 'syscall::getppid:entry /pid == $target/ { printf("x %d\n", arg0); }' -c "$made/load getppid $events"; }
tool_bpftrace() { have bpftrace && delivered bpftrace -e 'tracepoint:syscalls:sys_enter_getppid { printf("x %d\n", pid); }' -c "$made/load getppid $events"; }

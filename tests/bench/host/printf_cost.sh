# SPDX-License-Identifier: BSD-2-Clause
what="the same loop's processor time, over untraced: what an event costs the traced program" unit="x untraced" target=2
tools="dtx count bpftrace" rounds=5
events=200000

# slower COMMAND…: the loop's processor time under a tool, over its time without.
slower() {
	rm -f "$tmp/load"
	LOAD_OUT=$tmp/load "$made/load" getppid $events
	LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/lines" 2>"$tmp/lost"
	awk 'NR == 1 { base = $5 } NR == 2 { print $5 / base }' "$tmp/load"
}
tool_dtx()      { slower "$DTX" -qn 'syscall::getppid:entry /pid == $target/ { printf("x %d\n", arg0); }' -c "$made/load getppid $events"; }
tool_count()    { slower "$DTX" -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$made/load getppid $events"; }
tool_bpftrace() { have bpftrace && slower bpftrace -e 'tracepoint:syscalls:sys_enter_getppid { printf("x %d\n", pid); }' -c "$made/load getppid $events"; }

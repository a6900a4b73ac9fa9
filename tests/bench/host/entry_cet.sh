# SPDX-License-Identifier: BSD-2-Clause
what="a call of a function that begins with endbr64 and push, with a probe at its entry that counts" unit=ns target=0.5bpftrace
tools="untraced dtx bpftrace perf gdb" rounds=5

# called COMMAND…: nanoseconds of processor time for a call.
called() {
	rm -f "$tmp/load"
	LOAD_OUT=$tmp/load timeout 120 "$@" >"$tmp/out" 2>&1 </dev/null
	awk '{ print $5 / $2 }' "$tmp/load"
}
tool_untraced() { called "$made/load" cet 20000 1; }
tool_dtx()      { called "$DTX" -qn "uprobe:$made/load:load_cet:entry { @ = count(); }" -c "$made/load cet 20000 1"; }
tool_bpftrace() { have bpftrace && called bpftrace -e "uprobe:$made/load:load_cet { @ = count(); }" -c "$made/load cet 20000 1"; }
tool_perf() {
	have perf && perf probe -q -x "$made/load" load_cet 2>/dev/null || return 0
	called perf stat -e probe_load:load_cet "$made/load" cet 20000 1
	perf probe -q -d probe_load:load_cet
}
tool_gdb()      { have gdb && called gdb -q -batch -ex 'break *load_cet' -ex 'ignore 1 1000000' -ex run --args "$made/load" cet 500 1; }

# SPDX-License-Identifier: BSD-2-Clause
what="printing 1,000,000 keys at the end: from the last event to the end of dtx" unit=s target=3
tools="dtx" rounds=3

tool_dtx() {
	rm -f "$tmp/load"
	LOAD_OUT=$tmp/load "$DTX" -qn "uprobe:$made/load:load_call:entry { @[arg0] = count(); }" -x aggsize=400m \
		-c "$made/load call 1000000 1" >"$tmp/out" 2>&1 &
	wait $!
	awk -v end="$EPOCHREALTIME" '{ print end - $4 }' "$tmp/load"
	[ "$(grep -c ' 1$' "$tmp/out")" = 1000000 ] || head -3 "$tmp/out" >&2
}

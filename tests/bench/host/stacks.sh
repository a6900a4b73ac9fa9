# SPDX-License-Identifier: BSD-2-Clause
what="printing 10,000 different stacks of 31 frames at the end: from the last event to the end of dtx" unit=s target=2
tools="dtx" rounds=3

tool_dtx() {
	rm -f "$tmp/load"
	LOAD_OUT=$tmp/load "$DTX" -qn "uprobe:$made/load:load_leaf:entry { @[ustack()] = count(); }" -x nstacks=262144 -x ustackframes=32 \
		-c "$made/load path 10000 1" >"$tmp/out" 2>&1 &
	wait $!
	awk -v end="$EPOCHREALTIME" '{ print end - $4 }' "$tmp/load"
	[ "$(grep -c '^ *1$' "$tmp/out")" -ge 9700 ] || head -3 "$tmp/out" >&2
}

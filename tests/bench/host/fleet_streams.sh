# SPDX-License-Identifier: BSD-2-Clause
what="400 streams, 25 changed rows a second each, values shown each second: processor time" unit="% of one CPU" target=100
tools="dtx" rounds=3

# Six seconds of one host, read 400 times at once; each of them tells states and is shown as often as in the run.
"$DTX" -q -o /dev/null --record "$tmp/host" -x refresh=1s -n 'int i; tick-40ms { @[i++ % 1000, "key"] = count(); } tick-6s { exit(0); }' >"$tmp/out" 2>&1
tool_dtx() {
	local streams=() i
	for ((i = 0; i < 400; i++)); do streams+=("$tmp/host"); done
	"$triggers/measure" 1 "$DTX" -q -o /dev/null --replay "${streams[@]}" --report "$tmp/page" | awk '{ print $2 * 100 / 6e6 }'
}

# SPDX-License-Identifier: BSD-2-Clause
what="40 hosts of 10,000 keys: their states read, merged, sorted and printed" unit=s target=1
tools="dtx" rounds=3

# One host's run, whose states come each half second; the other 39 tell the same.
fleet_of() { for ((i = 0; i < $1; i++)); do printf '%s\n' "$tmp/host"; done; }
"$DTX" -q -o /dev/null --record "$tmp/host" -x refresh=500ms -x aggsize=16m -n 'int i; syscall::getppid:entry { @[i++ % 10000] = count(); }' \
	-c "$made/load getppid 10000" >"$tmp/out" 2>&1
tool_dtx() {
	# shellcheck disable=SC2046 # words
	wall "$DTX" -q -o "$tmp/merged" --replay $(fleet_of 40) | awk '{ print $1 / 1000 }'
	[ "$(grep -c . "$tmp/merged")" = 10000 ] || echo 'not all keys were there' >&2
	rm -f "$tmp/merged"
}

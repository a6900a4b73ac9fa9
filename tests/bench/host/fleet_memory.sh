# SPDX-License-Identifier: BSD-2-Clause
what="40 hosts of the same 10,000 keys: memory for a key of all, beyond that of one host" unit=bytes target=200
tools="dtx" rounds=1

"$DTX" -q -o /dev/null --record "$tmp/host" -x refresh=500ms -x aggsize=16m -n 'int i; syscall::getppid:entry { @[i++ % 10000] = count(); }' \
	-c "$made/load getppid 10000" >"$tmp/out" 2>&1
peak() { "$triggers/measure" 1 "$DTX" -q -o /dev/null --replay "$@" | awk '{ print $3 * 1024 }'; }
tool_dtx() {
	local hosts=() i
	for ((i = 0; i < 40; i++)); do hosts+=("$tmp/host"); done
	awk -v all="$(peak "${hosts[@]}")" -v one="$(peak "$tmp/host")" 'BEGIN { print (all - one) / 10000 }'
}

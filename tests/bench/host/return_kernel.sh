# SPDX-License-Identifier: BSD-2-Clause
what="entry and return of a user function, the return taken by the kernel's return probe: a call" unit=us target=-
tools="dtx" rounds=3

tool_dtx() {
	rm -f "$tmp/load"
	# shellcheck disable=SC2016
	LOAD_OUT=$tmp/load "$DTX" -q -x ureturn=kernel -n 'pid$target:a.out:load_call:entry,pid$target:a.out:load_call:return { @ = count(); }' \
		-c "$made/load call 20000 1" >/dev/null 2>&1
	awk '{ print $3 / $2 / 1000 }' "$tmp/load"
}

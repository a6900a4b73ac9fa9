#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A command that a signal ends is told of with -q, too, and the status of dtx is not 0; its own status other than 0 changes nothing.
# needs: root
. "$(dirname "$0")/../lib.sh"

for quiet in "" -q; do
	"$DTX" $quiet -n 'BEGIN { }' -c "sh -c 'kill -SEGV \$\$'" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status != 0 ] && grep -q 'was ended by signal 11' "$tmp/err" || fail "$quiet: status $status, $(cat "$tmp/err")"
	"$DTX" $quiet -n 'BEGIN { }' -c "sh -c 'exit 3'" >"$tmp/out" 2>"$tmp/err" || fail "$quiet: status $? for one that exits by itself"
done
"$DTX" -qn 'BEGIN { } END { exit(5); }' -c "sh -c 'kill \$\$'" >"$tmp/out" 2>"$tmp/err"
[ $? = 5 ] || fail "not the status of exit()"

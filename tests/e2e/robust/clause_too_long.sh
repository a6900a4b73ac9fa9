#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A statement whose code is longer than a BPF jump reaches is refused in words, with the clause's place; LLVM, which ends
# the process for it, is caught. (The statements of a long clause become several functions, one statement does not.)
. "$(dirname "$0")/../lib.sh"

{
	echo 'BEGIN { if (pid) {'
	for i in {1..220}; do
		echo "a[strjoin(execname, \"$i\")] = strjoin(substr(probename, index(execname, \"x$i\"), 3), strtok(cwd, \"/\"));"
	done
	echo '} }'
} >"$tmp/long.d"
"$DTX" -e -s "$tmp/long.d" >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status = 1 ] || fail "status $status, not 1: $(head -n 5 "$tmp/err")"
grep -q 'long.d:1:1: error: the program is too long for BPF' "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q 'help: split this clause, the longest, into several' "$tmp/err" || fail "$(cat "$tmp/err")"

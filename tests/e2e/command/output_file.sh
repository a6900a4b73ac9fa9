#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.ftruncate flag.o platform.append
#
# -o appends to the file; ftruncate() empties it.
. "$(dirname "$0")/../lib.sh"

echo old >"$tmp/file"
dtx -q -o "$tmp/file" -n 'BEGIN { printf("new\n"); exit(0); }'
same 'old
new' "$(sed '/^$/d' "$tmp/file")" "-o does not append"
dtx -q -o "$tmp/file" -n 'BEGIN { printf("dropped\n"); ftruncate(); printf("kept\n"); exit(0); }'
same kept "$(sed '/^$/d' "$tmp/file")" "ftruncate() does not empty the file"

# A run that fails before it has anything leaves no file that looks like an answer; a file that was there stays.
for words in '-n nosuch:::x' '-n BEGIN{' '-x format=flame -n BEGIN' '-x nosuch -n BEGIN' '--comm x --cgroup /nosuch -n BEGIN'; do
	: >"$tmp/was"
	for file in new was; do
		# shellcheck disable=SC2086
		"$DTX" -q -o "$tmp/$file" $words >/dev/null 2>&1 && fail "it ran: $words"
	done
	[ ! -e "$tmp/new" ] && [ -e "$tmp/was" ] || fail "$words: $(ls "$tmp")"
done
dtx -q -o "$tmp/new" -n 'BEGIN { exit(0); }'
[ -e "$tmp/new" ] || fail 'no file of a run that printed nothing'

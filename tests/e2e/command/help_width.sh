#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: script
#
# The help of dtx and of its tools fits a terminal of any width, word by word; into a pipe it goes as it is written.
. "$(dirname "$0")/../lib.sh"

dtx=$(readlink -f "$DTX")
# shown COLUMNS ARG…
shown() { script -qec "stty cols $1; '$dtx' ${*:2}" /dev/null </dev/null | tr -d '\r' >"$tmp/shown"; }
words() { tr -s ' \n' '\n\n' <"$1"; }
for columns in 60 80 200; do
	for help in '--help' 'runqlat --help' 'dbslower --help' 'trace --help'; do
		shown $columns $help
		"$dtx" $help >"$tmp/whole"
		cmp -s <(words "$tmp/whole") <(words "$tmp/shown") || fail "$help, $columns columns: other words: $(diff <(words "$tmp/whole") <(words "$tmp/shown") | head -5)"
		sed 's/[…–]/./g' "$tmp/shown" | awk -v most=$columns 'length > most && NF > 1 { print; bad = 1 } END { exit bad }' >"$tmp/long" ||
			fail "$help does not fit $columns columns: $(cat "$tmp/long")"
	done
done
# What continues stands below its text, and a paragraph is filled.
shown 80 --help
grep -qx ' \{17\}flame graph (svg)' "$tmp/shown" || fail "$(grep -A1 -e --stacks "$tmp/shown")"
shown 80 runqlat --help
grep -qx 'until it runs, and prints the distribution in microseconds. A thread counts from' "$tmp/shown" || fail "$(cat "$tmp/shown")"

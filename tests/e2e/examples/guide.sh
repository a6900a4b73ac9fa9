#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes gcc
# where: native
# timeout: 240
# waits: for what the pages say to run, second by second
#
# docs/guide: what a page says is typed, in an empty folder, and prints what is shown (tests/guide). The other programs of
# the pages, also those of their tables, are accepted, run some seconds while things happen, and end well.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/guide.bash"
# Two at a time: each has its load.
printf '%s\n' docs/guide/*.md | grep -v /first | xargs -P 2 -n 1 tests/guide || fail "not what the guide shows"
for page in docs/guide/*.md; do
	programs "$page" | grep -vE "$needs_functions" >"$tmp/${page##*/}"
done
in_folder
for page in "$tmp"/*.md; do
	[ ! -s "$page" ] || run_oneliners "$(cat "$page")" 1
done
[ "$(cat "$tmp"/*.md | wc -l)" -gt 50 ] || fail "the pages have too few programs"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf btf uprobes gcc
# where: native
# timeout: 120
#
# README.md and docs/guide/beyond-d.md: what their blocks say is typed, and prints what is shown (tests/guide). The other
# programs of their text are accepted, run some seconds, and end well; --help knows the topics. Programs on functions of the
# kernel are in guide_functions.sh.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/guide.bash"
tests/guide README.md || fail "not what README.md shows"
for page in README.md docs/guide/beyond-d.md; do spans $page; done | grep -vE "$needs_functions|myapp" >"$tmp/spans"
grep '^dtx --help' "$tmp/spans" | grep -v TOPIC >"$tmp/topics"
[ "$(wc -l <"$tmp/topics")" -ge 4 ] || fail "README.md has too few topics of --help"
while read -r line; do
	eval "\"\$DTX\" ${line#dtx }" >"$tmp/out" 2>&1 || fail "$line: $(cat "$tmp/out")"
done <"$tmp/topics"
in_folder
run_oneliners "$(grep "^dtx -n '" "$tmp/spans" | sed 's/^/    /')" 5
"$DTX" -lv -n 'uprobe:./shop:sell:@*' | grep -q 'sum \* 9 / 10' || fail "the lines of a function have no text"

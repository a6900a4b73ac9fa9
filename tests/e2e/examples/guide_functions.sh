#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf uprobes gcc
# on: newest
# where: guest
# timeout: 120
#
# The programs of docs/guide and README.md that probe functions of the kernel: each is compiled for the running kernel; those on vfs_read also run.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/guide.bash"
{
	for page in docs/guide/*.md; do programs "$page"; done
	{ spans README.md; spans docs/guide/beyond-d.md; grep '^dtx -n' README.md; } | sed 's/^/    /'
} | grep -E "$needs_functions" >"$tmp/programs"
[ "$(wc -l <"$tmp/programs")" -ge 10 ] || fail 'the pages have too few programs'
in_folder
while read -r line; do
	eval "\"\$DTX\" -e ${line#dtx }" >"$tmp/out" 2>&1 </dev/null || fail "$line: $(cat "$tmp/out")"
done <"$tmp/programs"
run_oneliners "$(grep 'vfs_read' "$tmp/programs" | head -n 2)" 2

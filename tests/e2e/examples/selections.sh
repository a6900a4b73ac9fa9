#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc unshare ip findmnt dd
# timeout: 240
# waits: for five tools and their strangers, one after the other
#
# truth: tools with -p, --cgroup and -c --follow, beside a stranger that does the same | what they say of the load | the tests of the tools
# tests/bench/selections runs the tests of all tools with each selection; here it does so with one tool of each kind: calls, ends of
# processes, disks, connections, and interrupts, where dtx warns. docs/tools.md has the table of all.
. "$(dirname "$0")/../lib.sh"

# the cells of TOOL, as "right right right"
cells() { DTX_SELECTIONS='-p --cgroup -c' tests/bench/selections "$1" 2>"$tmp/err" | awk -F ' *[|] *' 'NR == 3 { print $3, $4, $5 }'; }

for tool in execsnoop errinfo biosnoop tcpconnlat hardirqs; do
	want='right right right'
	case $tool in hardirqs) want='warned warned warned' ;; esac
	got=$(cells $tool)
	[[ $got != *skipped* ]] || continue
	# A stranger that comes late is not seen.
	same "$want" "${got//at least/right}" "$tool: $(cat "$tmp/err")"
done

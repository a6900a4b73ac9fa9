#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# uprobe:PID:FUNCTION and uprobe:$target:FUNCTION are the program of that process, and no other that runs it.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'uprobe:$target:inner { @["first"] = count(); }' -c "$t/mallocs 30:5"
same 5 "$(value first)" "calls in \$target's program"

"$t/sleeper" 10 100000 & one=$!
"$t/sleeper" 1 1000000 & two=$!
trap 'kill $one $two; rm -rf "$tmp"' EXIT
dtx -qn "uprobe:$one:nap { @[pid] = count(); } uprobe:$one:nap /++n == 5/ { exit(0); }"
same "$one" "$(awk 'NF { print $1 }' "$tmp/out")" "the processes that fired"
dtx -ln "uprobe:$one:main:entry"
same "uprobe $one main entry" "$(awk 'NR > 1 { print $2, $3, $4, $5 }' "$tmp/out")" "the probe of a process"
"$DTX" -ln 'uprobe:4194305:main' >"$tmp/out" 2>&1 || fail "a list without probes is no failure"
same 2 "$(wc -l <"$tmp/out")" "there is no such process"
grep -q "no library or program '4194305'" "$tmp/out" || { cat "$tmp/out" >&2; fail "what is told of no process"; }

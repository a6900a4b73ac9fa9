#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/pidpersec.d: 25 processes and their maker; threads are counted by themselves.
. "$(dirname "$0")/tool.bash"

own bash known
echo 'for ((i = 0; i < 25; i++)); do (:); done' >"$tmp/forks"
load <<'END'
"$tmp/known" "$tmp/forks"
"$t/threads" >/dev/null
END
tool pidpersec -i 10s
heading 'TIME PROCESSES THREADS'
same 25 "$(rows '$1 == "known" { print $2 }')" 'not the processes made'
rows 'NR == 2 { exit !($2 >= 25 && $3 >= 2) }' || fail "not the counts: $(cat "$tmp/out")"
"$DTX" -qs examples/pidpersec.d 50ms 3 >"$tmp/out" 2>&1
same 4 "$(grep -cE '^[0-9:]{8} |TIME' "$tmp/out")" 'not three intervals and the heading'

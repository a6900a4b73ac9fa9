#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# on: newest
# truth: walltimestamp after the clock was set | the difference to what it was before | date(1), which set it
#
# Somebody sets the clock during a run, forward and back: walltimestamp is the new time at once, and timers go on as before.
. "$(dirname "$0")/../lib.sh"

set_by() { date -s "@$(($(date +%s) + $1))" >/dev/null; }
"$DTX" -qn 'tick-100ms { printf("at %d\n", walltimestamp / 1000000000); } tick-20s { exit(1); }' >"$tmp/out" 2>"$tmp/err" & run=$!
seen() { awk -v n="$1" -v by="$2" '{ if (NR > 1 && $2 - last > by - 60 && $2 - last < by + 60) found = 1; last = $2 } END { exit !(found && NR > n) }' "$tmp/out"; }
awaits grep -q '^at' "$tmp/out"
set_by 7200
awaits seen 3 7200
set_by -7200
awaits seen 5 -7200
lines=$(wc -l <"$tmp/out")
more() { [ "$(wc -l <"$tmp/out")" -gt $((lines + 5)) ]; }
awaits more
kill $run
wait $run || fail "status $?: $(cat "$tmp/err")"
[ ! -s "$tmp/err" ] || fail "it says: $(cat "$tmp/err")"
[ "$(wc -l <"$tmp/out")" -lt 600 ] || fail "$(wc -l <"$tmp/out") ticks"

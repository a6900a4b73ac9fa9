#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# needs: kmulti
# timeout: 100
#
# The accident: a clause on every function of the kernel. It attaches, counts, and ends soon after it is told to.
. "$(dirname "$0")/lib.sh"

"$DTX" -n 'fbt:::entry { @[probefunc] = count(); } BEGIN { printf("ready\n"); }' >"$tmp/out" 2>"$tmp/err" &
dtx=$!
for ((i = 0; i < 900; i++)); do grep -q ready "$tmp/out" && break; [ -d /proc/$dtx ] || break; sleep 0.1; done
grep -q ready "$tmp/out" || fail "it does not start: $(tail -n 3 "$tmp/err")"
read -r up _ </proc/uptime
kill -TERM $dtx
wait $dtx || fail "status $?: $(tail -n 3 "$tmp/err")"
read -r now _ </proc/uptime
echo "ended after $(awk -v a="$up" -v b="$now" 'BEGIN { print b - a }') s; $(awk 'NF == 2' "$tmp/out" | wc -l) functions ran"
[ "$(awk 'NF == 2' "$tmp/out" | wc -l)" -gt 500 ] || fail "few functions: $(tail -n 3 "$tmp/out" "$tmp/err")"

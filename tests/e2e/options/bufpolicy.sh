#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: drop.principal opt.bufpolicy opt.bufsize opt.switchrate flag.b
#
# bufpolicy: ring keeps the newest records and prints them at the end, fill keeps the oldest and ends the
# tracing, switch counts what it loses: what was produced is delivered or counted.
. "$(dirname "$0")/../lib.sh"

count='int n; profile-2000hz /n < 3000/ { printf("%d\n", n++); }'
dtx -q -b 4k -x cpu=0 -x bufpolicy=ring -n "$count"' tick-100ms /n == 3000/ { exit(0); }'
last=$(grep -v '^$' "$tmp/out" | tail -n 1) first=$(head -n 1 "$tmp/out") lines=$(grep -c . "$tmp/out")
room=$((4096 / 24)) # records of 24 bytes
[ "$last" = 2999 ] || fail "ring: the last record is $last"
[ "$first" -gt 1000 ] || fail "ring: the first record is $first"
[ $((last - first + 1)) = "$lines" ] || fail "ring: $lines records from $first"
[ "$lines" -gt 100 ] && [ "$lines" -le $room ] || fail "ring: $lines records where $room have room"

timeout -k 5 20 "$DTX" -q -b 4k -x cpu=0 -x bufpolicy=fill -n "$count" >"$tmp/out" 2>"$tmp/err" || fail "fill does not end it"
[ "$(head -n 1 "$tmp/out")" = 0 ] || fail "fill: the first record is $(head -n 1 "$tmp/out")"
lines=$(grep -c . "$tmp/out")
[ "$lines" -lt 1000 ] || fail "fill: $lines records"

dtx -q -b 4k -x cpu=0 -x switchrate=500ms -n "$count"' tick-100ms /n == 3000/ { exit(0); }'
lines=$(grep -c . "$tmp/out")
lost=$(awk '$3 ~ /^drops?$/ && $4 == "on" && $5 == "CPU" { n += $2; if (($2 == 1) != ($3 == "drop")) exit 1 }
	END { print n + 0 }' "$tmp/err") || fail "singular and plural: $(cat "$tmp/err")"
[ "$lost" -gt 0 ] || fail "switch: nothing is lost"
made=$((lines + lost)) # the record of exit() may be among the lost
[ $made = 3000 ] || [ $made = 3001 ] || fail "switch: $lines delivered and $lost counted of 3000"

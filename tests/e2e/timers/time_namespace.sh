#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: unshare
# truth: walltimestamp, elapsed in a time namespace | seconds since 1970, since the run began | date(1), the length of the run
#
# dtx in a time namespace, whose clocks have an offset that the kernel's own programs do not see.
. "$(dirname "$0")/../lib.sh"

inside=(unshare -T --monotonic 100000 --boottime 300000)
"${inside[@]}" true 2>/dev/null || { echo 'this kernel has no time namespaces'; exit 77; }
DTX=$(readlink -f "$DTX")
cd "$tmp" || exit
"${inside[@]}" "$DTX" -q --record run.rec -n 'tick-20ms { printf("wall %d elapsed %d\n", walltimestamp / 1000000000, elapsed / 1000000000); @["x"] = count(); }
	tick-300ms { exit(0); }' >out 2>err || fail "$(cat err)"
now=$(date +%s)
awk -v now="$now" '/^wall/ { n++; if ($2 < now - 60 || $2 > now + 60 || $4 < 0 || $4 > 60) exit 1 } END { exit n < 3 }' out ||
	fail "it is $now, and: $(cat out)"
"${inside[@]}" "$DTX" -q --format csv -n 'tick-50ms { @["x"] = count(); exit(0); }' >csv || fail 'csv'
"${inside[@]}" "$DTX" --format json -qn 'tick-50ms { printf("%d\n", timestamp / 1000000000); exit(0); }' >json || fail 'json'
DTX_HOST=$(python3 -c 'import time; print(time.clock_gettime_ns(time.CLOCK_MONOTONIC))') python3 - <<'E2' || fail "other times: $(cat csv json)"
import csv, json, os
host = int(os.environ["DTX_HOST"]) / 1e9
near = lambda s: abs(s - host) < 60
rows = list(csv.DictReader(open("csv")))
times = [float(v) for r in rows for k, v in r.items() if k == "time"]
assert times and all(near(t / 1e9) for t in times), (times, host)
for line in open("json"):
    o = json.loads(line)
    t = o.get("time")
    assert t is None or near(t / 1e9), (o, host)
E2
# Processes that live longer than the run are found by when they began.
"${inside[@]}" "$DTX" -qn 'BEGIN { exit(0); }' -p $$ || fail 'a process of outside'

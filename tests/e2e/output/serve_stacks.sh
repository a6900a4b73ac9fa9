#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root go python3
# where: native
# timeout: 60
#
# truth: page, flame graph | sums of 6,000 stacks of count() and avg() | 9,000 calls of the program
#
# The flame graph of the page, and its downloads, hold all rows; avg() is as wide as its sum, as with --stacks.
. "$(dirname "$0")/../lib.sh"
plain 'the library that it loads is not instrumented'
/sbin/ldconfig -p | grep -q libmicrohttpd.so.12 || skip 'libmicrohttpd12 is not installed'

trap 'kill "${pid:-}" 2>/dev/null; rm -rf "$tmp"' EXIT
cat >"$tmp/calls.py" <<'END'
import os
for i in range(9000):
    os.getppid()
END
# Rows 0 to 2999 have two values, the other 3,000 one.
dtx -q --record "$tmp/run" -x aggsize=16m -c "/usr/bin/python3 $tmp/calls.py" -n '
int i;
syscall::getppid:entry /pid == $target/ { @n[i % 6000, stack()] = count(); @a[i % 6000, stack()] = avg(1 + (i < 6000)); i++; }'
dtx -q --replay "$tmp/run" --stacks folded="$tmp/all" -o /dev/null
"$DTX" -q --serve 0 --replay "$tmp/run" >"$tmp/served" 2>&1 &
pid=$!
awaits grep -q serving "$tmp/served"
link=$(sed -n 's/.*serving \(http[^ ]*\)$/\1/p' "$tmp/served")
query=${link#*\?} link=${link%%\?*}
[ -n "$link" ] || fail "it does not serve: $(cat "$tmp/served")"
for agg in 0 1; do curl -sf -o "$tmp/folded$agg" "${link}stacks?agg=$agg&format=folded&$query" || fail 'no folded stacks'; done
curl -sf -o "$tmp/pprof" "${link}stacks?agg=0&format=pprof&$query" || fail 'no profile'
curl -sf -o "$tmp/flame" "${link}flame?agg=0&$query" || fail 'no flame graph'

same '9000 6000' "$(awk '{ n += $NF } END { print n, NR }' "$tmp/folded0")" 'not all calls are in the graph'
same '15000 6000' "$(awk '{ n += $NF } END { print n, NR }' "$tmp/folded1")" 'avg() is not as wide as its sum'
same 24000 "$(awk '{ n += $NF } END { print n }' "$tmp/all")" 'the page and --stacks are not the same'
go tool pprof -top "$tmp/pprof" >"$tmp/top" 2>&1 || fail "$(cat "$tmp/top")"
grep -q 'of 9000 total' "$tmp/top" || fail "the profile: $(cat "$tmp/top")"
/usr/bin/python3 - "$tmp/flame" <<'END' || fail 'the graph of the page has another sum'
import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(sum(d["nodes"][2::3]) != 9000 or len(d["nodes"]) > 3 * 40000)
END

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf /usr/bin/python3
#
# examples/hotpython.d: the line and the callers where a known program of Python spends its time.
. "$(dirname "$0")/tool.bash"

cat >"$tmp/prog.py" <<'END'
import time
def busy(until):
    while time.process_time() < until: pass
busy(time.process_time() + 0.4)
END
run="/usr/bin/python3 $tmp/prog.py" tool hotpython -t 1
heading 'SAMPLES OF STACKS'
same "$tmp/prog.py:3 busy
$tmp/prog.py:4 <module>" "$(sed -n '3,4p' "$tmp/out")" 'the stack'
[ "$(awk 'NF == 1 && $1 > 0 { n = $1 } END { print n + 0 }' "$tmp/out")" -gt 100 ] || fail "too few samples: $(cat "$tmp/out")"
run="/usr/bin/python3 $tmp/prog.py" tool hotpython -l -t 1
heading 'SAMPLES OF LINES'
same "$tmp/prog.py:3 busy" "$(sed -n '3p' "$tmp/out")" 'the line'

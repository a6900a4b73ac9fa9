#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/offcputime.d: the sum of known sleeps, by the stack; the smallest wait. The first sleeps may be
# in a row of their own, before the unwind table of the program is made.
. "$(dirname "$0")/tool.bash"

own sleeper known
load <<'END'
./known 20 10
END
tool offcputime -n known -t 1 -m 10ms
grep -q nanosleep "$tmp/out" || fail "not the stack: $(cat "$tmp/out")"
rows '/ us$/ { us = $1; n++ } END { exit !(n == 1 && us >= 100000 && us < 5000000) }' || fail "not the time: $(cat "$tmp/out")"
tool offcputime -n known -m 1h
same '' "$(cat "$tmp/out")" 'waits of less than an hour'

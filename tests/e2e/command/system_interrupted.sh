#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Interrupts reach dtx while it waits for a command of system(): the second one ends a backlog of them.
. "$(dirname "$0")/../lib.sh"

set -m
: >"$tmp/began"
"$DTX" -wqn 'tick-1ms { system("echo >>'"$tmp"'/began; sleep 0.2"); }' >"$tmp/out" 2>"$tmp/err" &
pid=$!
trap 'kill -KILL $pid 2>/dev/null; rm -rf "$tmp"' EXIT
began() { wc -l <"$tmp/began"; }
commands() { [ "$(began)" -ge "$1" ]; }
awaits commands 6                        # they take a second: a thousand more are waiting
kill -INT $pid
awaits commands $(($(began) + 3))
kill -INT $pid
until_true 10 ended $pid || fail "it goes on after two interrupts"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Interrupts reach dtx while it waits for a command of system(): the second one ends a backlog of them.
. "$(dirname "$0")/../lib.sh"

set -m
"$DTX" -wqn 'tick-1ms { system("echo >>'"$tmp"'/began; sleep 0.2"); }' >"$tmp/out" 2>"$tmp/err" &
pid=$!
until [ -s "$tmp/began" ]; do kill -0 $pid || fail "$(cat "$tmp/err")"; sleep 0.05; done
sleep 1                                  # a thousand commands are waiting
for n in 1 2; do kill -INT $pid; sleep 0.6; done
for ((i = 0; i < 100; i++)); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
if kill -KILL $pid 2>/dev/null; then fail "it goes on after two interrupts"; fi

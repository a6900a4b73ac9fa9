#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: both
#
# A tracepoint, its fields by name: a program that sleeps 40 times leaves the CPU at least so often.
. "$(dirname "$0")/../lib.sh"

dtx -n 'tracepoint:sched:sched_switch /prev_pid == $target/ { @["off"] = count(); }' -c "$t/sleeper 5 40"
[ "$(value off)" -ge 40 ] && [ "$(value off)" -le 400 ] || fail "$(value off) switches for 40 naps"

dtx -n 'tracepoint:sched:sched_switch { @[comm] = count(); }' -c "$t/sleeper 5 40"
[ "$(value sleeper)" -ge 40 ] || fail "$(value sleeper) switches of the sleeper"

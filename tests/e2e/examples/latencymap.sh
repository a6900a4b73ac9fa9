#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root tmux
# where: native
#
# examples/latencymap.d: a sleep of known length, printed at the end; and reads as a heat map.
. "$(dirname "$0")/../live/terminal.bash"

# By a name of its own: others sleep, too.
cp "$(command -v sleep)" "$tmp/naps"
dtx -qs examples/latencymap.d clock_nanosleep -c "$tmp/naps 0.3"
[ "$(histogram naps | awk '$2')" = '268435456 1' ] || fail "not between 268 and 537 ms: $(cat "$tmp/out")"

terminal 80 24
line '$DTX -qs examples/latencymap.d --live --refresh 100ms'
wait_for '^ @calls .* 1 key'
keys h
wait_for '^ heat map of timestamp - self->start, all rows'
wait_for '^ +[0-9.]+[num]?s\| *[░▒▓█]'
keys q
wait_for '^status 0'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The whole screen: tables in any order, a filter, a pause, tabs, tiles, the log, another size; the
# end gives the terminal back, and prints what the program prints in the end.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/p.d" <<'END'
BEGIN
{
	@n["alpha", 3] = sum(30); @n["beta", 20] = sum(10); @n["gamma", 100] = sum(20);
	@size = quantize(3); @size = quantize(1000); @size = quantize(1000);
	printf("first line\n");
}
tick-100ms { printf("tick %d\n", ++i); }
END { printf("bye after %s\n", i > 5 ? "some ticks" : "nothing"); }
END
terminal 80 24
line 'stty -g >'"$tmp"'/before; $DTX -q --live --refresh 100ms -s '"$tmp/p.d"
wait_for 'alpha +3 +30 +0'
[ "$(tm display -p '#{alternate_on}')" = 1 ] || fail 'no screen of its own'

shows 4,8 ' @n  sum(30)  3 keys  total 60  0 per s
  "alpha"  3              sum↓      per s
  alpha    3                30          0
  gamma    100              20          0
  beta     20               10          0' 'the largest first'
screen | sed -n 1,2p | grep -qE '^ dtx   1:@n   2:@size +00:00:[0-9]+$' || fail "title: $(screen | sed -n 1p)"
screen | sed -n 2p | grep -qE '^ tracing every 100ms  [0-9]+ records  [0-9.]+/s  lost 0$' || fail "state: $(screen | sed -n 2p)"
shows 24 ' q quit  Tab next  s sort  r order  / filter  p pause  Enter row  l log  ? keys' 'the keys'
keys r
wait_for 'sum↑'
shows 6,8 '  beta     20               10          0
  gamma    100              20          0
  alpha    3                30          0' 'reversed'
keys S
wait_for '3↑'
shows 6,8 '  alpha    3                30          0
  beta     20               10          0
  gamma    100              20          0' 'by the key that is a number'
keys S r
wait_for '"alpha"↓'
shows 6,8 '  gamma    100              20          0
  beta     20               10          0
  alpha    3                30          0' 'by the key that is a text'
keys / A M
wait_for 'filter: AM_'
keys BSpace Enter
wait_for "filter 'A': 3"
keys / M M Enter
wait_for "filter 'AMM': 1"
shows 6,7 '  gamma    100              20          0' 'only rows with it'
keys Escape
wait_for 'beta'

# Paused: the log stands still, the rest of the run goes on.
keys p
wait_for '^ PAUSED '
before=$(screen | grep tick)
records() { screen | awk 'NR == 2 { print $4 }'; }
more_than() { [ "$(records)" -gt "$1" ]; }
awaits more_than $(($(records) + 4))
same "$before" "$(screen | grep tick)" 'paused, and the screen changes'
keys p
wait_for '^ tracing '

keys Tab
wait_for 'histogram of 3'
shows 4,13 ' @size  quantize(3)  1 key  total 3  0 per s
      count↓      per s        p50        p99        max
           3          0       1023       1023       1023

 histogram of 3
          2|████████████████████████████                                     1
          8|                                                                 0
         32|                                                                 0
        128|                                                                 0
        512|███████████████████████████████████████████████████████          2' 'a histogram'
keys h
wait_for 'heat map of 3'
keys t
wait_for '^ @n .*3 keys'
wait_for '^ @size .*1 key '
keys 1 l
wait_for '^   tick 1[0-9]'
[ "$(screen | grep -c '^   tick')" -gt 8 ] || fail 'the log does not fill the screen'
keys Home
wait_for '^   first line'
keys '?'
wait_for 'end the run; its output is then printed'
keys '?'

# Another size, up to one where nothing fits.
tm resize-window -x 130 -y 40
wait_for 'h heat map  t tiles'
keys 2
wait_for '^ histogram of 3 .* heat map of 3'
tm resize-window -x 20 -y 5
wait_for 'too small'
tm resize-window -x 80 -y 24
wait_for '^ @size'

keys q
wait_for '^status 0'
[ "$(tm display -p '#{alternate_on}#{cursor_flag}')" = 01 ] || fail 'the screen was not left'
tm send-keys -l "stty -g >$tmp/after; echo done" && keys Enter
wait_for '^done'
same "$(cat "$tmp/before")" "$(cat "$tmp/after")" 'the settings of the terminal'
tm capture-pane -p -S - >"$tmp/all"
grep -q '^bye after some ticks' "$tmp/all" || fail "no output of END: $(cat "$tmp/all")"
grep -qE '^  alpha +3 +30' "$tmp/all" || fail "no aggregations in the end: $(cat "$tmp/all")"
! grep -qE 'tick [0-9]|first line' "$tmp/all" || fail 'what was shown in the log was printed'

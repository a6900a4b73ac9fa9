#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A recording in the live view: the last values, the heat map of what happened in between, the log.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/p.d" <<'END'
int i;
BEGIN { @n["alpha"] = sum(30); @n["beta"] = sum(10); printf("first line\n"); }
tick-100ms { @t = quantize(i < 4 ? 1 : 1000); i++; }
tick-100ms /i == 8/ { exit(0); }
END { printf("last line\n"); }
END
dtx -q --record "$tmp/rec" --refresh 100ms -s "$tmp/p.d"
[ "$(LC_ALL=C grep -c alpha "$tmp/out")" = 1 ] || fail 'the run prints samples'
terminal 80 24
line "stty -g >$tmp/before; "'$DTX --live --replay '"$tmp/rec"
wait_for '^ replay  [0-9]+ records of '"$(uname -n)"
wait_for '^  beta +10'
shows 4,7 ' @n  sum(30)  2 keys  total 40  0 per s
  "alpha"        sum↓      per s
  alpha            30          0
  beta             10          0' 'the last values'
wait_for '^   first line'
wait_for '^   last line'
keys Tab h
wait_for '^ heat map of i < 4'
# Low values first, high ones later.
wait_for '^ +1\| {0,2}[░▒▓█]'
wait_for '^ +512\| +[░▒▓█]'
keys q
wait_for '^status 0'
screen | grep -qE '^  alpha +30$' || fail "no aggregations in the end: $(screen)"
tm send-keys -l "stty -g >$tmp/after; echo done" && keys Enter
wait_for '^done'
same "$(cat "$tmp/before")" "$(cat "$tmp/after")" 'the settings of the terminal'

line '$DTX --live --replay '"$tmp/rec"
wait_for '^ replay'
keys C-c
wait_for '^status 130'
[ "$(tm display -p '#{alternate_on}#{cursor_flag}')" = 01 ] || fail 'Ctrl-C: the screen was not left'

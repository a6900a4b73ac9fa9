#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# However a run with --live ends, the terminal is as it was: Ctrl-C, exit(), a crash, a kill.
# Without a terminal there is one error.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

"$DTX" --image "$tmp/p.img" -qn 'BEGIN { @n["one"] = count(); } tick-10s {} END { printf("the end\n"); }' || fail 'no image'
setsid -w "$DTX" -q --live -n 'BEGIN {}' >"$tmp/out" 2>"$tmp/err" </dev/null && fail 'it runs without a terminal'
same 'dtx: --live needs a terminal, and this process has none (No such device or address): run it in one, or without --live' \
	"$(cat "$tmp/err")" 'the error without a terminal'

back() {
	[ "$(tm display -p '#{alternate_on}#{cursor_flag}')" = 01 ] || fail "$1: the screen was not left"
	tm send-keys -l "stty -g >$tmp/after; echo done" && keys Enter
	wait_for '^done'
	same "$(cat "$tmp/before")" "$(cat "$tmp/after")" "$1: the settings of the terminal"
}
terminal 80 24
tm send-keys -l "stty -g >$tmp/before" && keys Enter

# An image, and Ctrl-C.
line '${DTX%/*}/dtx-run -q --live '"$tmp/p.img"
wait_for '@n  count'
wait_for 'one +1'
keys C-c
wait_for '^status 0'
screen | grep -q '^the end' || fail "no output of END: $(screen)"
screen | grep -qE '^  one +1$' || fail 'no aggregation in the end'
back 'Ctrl-C'

# The program ends it; messages come after the screen.
line '$DTX --live --refresh 100ms -n "tick-300ms { trace(*(int *)0); } tick-1s { exit(3); }"'
wait_for 'errors [1-9]'
wait_for '! .*: invalid '
wait_for '^status 3'
screen | grep -q '^dtx: error in .* for probe ID' || fail "no message: $(screen)"
back 'exit()'

# A crash, and a signal that nobody catches.
for signal in SEGV ABRT; do
	line '$DTX -q --live -n "BEGIN { @n[1] = count(); } tick-10s {}"'
	wait_for '@n  count'
	pkill -$signal -P "$(tm display -p '#{pane_pid}')" dtx
	wait_for '^status 1(39|34)'
	back $signal
done

line '$DTX -q --live -n "BEGIN {}" & wait $!'
wait_for '^dtx: --live cannot run in the background'
line 'TERM=dumb $DTX -q --live -n "BEGIN {}"'
wait_for "^dtx: --live cannot draw on a terminal of type 'dumb'"
back 'an error'

# Narrow: no text lies over another, and losses are never hidden. What q leaves is what a person can read: of many rows the largest.
terminal 40 24
line '$DTX --live -q --refresh 200ms -n "BEGIN { for (this->i = 1; this->i <= 200; this->i++) { @[this->i] = sum(this->i); } } tick-200ms { trace(*(int *)0); }"'
wait_for 'lost 0  errors [1-9]'
screen | sed -n 2p | grep -qE '^ tracing [^l]* lost 0  errors [0-9]+$' || fail "the state: $(screen | sed -n 2p)"
keys q
wait_for '^status 0'
tm capture-pane -J -p -S -200 >"$tmp/left"
grep -q '(@ has 200 rows, of which the last 40 are' "$tmp/left" || fail "no word of what is left out: $(cat "$tmp/left")"
same '161 200' "$(awk 'NF == 2 && $1 == $2 { print $1 }' "$tmp/left" | sed -n '1p;$p' | paste -sd' ')" 'the rows that are printed'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Terminals without colours, without UTF-8; keys whose text is neither; a heat map with known cells.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/p.d" <<'END'
BEGIN { @n["\303\244 \377 \tx\033[2J"] = count(); printf("gr\303\274n \033[31mred\n"); }
tick-100ms { @t = lquantize(5, 0, 10, 5); }
tick-100ms { @t = lquantize(0, 0, 10, 5); }
END
terminal 80 24 TERM=vt100 LC_ALL=C
line '$DTX -q --live --refresh 200ms -s '"$tmp/p.d"
wait_for '@n  count'
wait_for '^  \? \\xff \\x09x\\x1b\[2J +1 +0'
wait_for '^   gr\?n red'
keys 2
wait_for '^ +[05]\|@@@@@@@@@@'
keys h
wait_for 'heat map of 5'
wait_for '^ +5\|[.:=+*#@-]{4}'
wait_for '^ +0\|[.:=+*#@-]{4}'
screen | LC_ALL=C grep -q '[^ -~]' && fail 'not plain ASCII'
keys q
wait_for '^status 0'

terminal 80 24 TERM=xterm-256color
line '$DTX -q --live --refresh 200ms -s '"$tmp/p.d"
wait_for '^  ä \\xff \\x09x\\x1b\[2J +1 +0'
wait_for '^   grün red'
keys 2 h
wait_for '^ +5\|[░▒▓█]{4}'
tm capture-pane -pe | grep -qE $'\033\\[[0-9;]*38;5;' || fail 'no colours'
keys q
wait_for '^status 0'

# What has no room is marked; a heading leaves out what it aggregates before it cuts its numbers.
cat >"$tmp/wide.d" <<'END'
BEGIN {
	@c["0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789"] = count();
	@q["key"] = quantize(1234567890 + 1234567890 + 1234567890 + 1234567890);
	@q["漢字漢字"] = quantize(4);
	printf("%s%s%s\n", "0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789", "end");
}
END
wide() {
	terminal 80 24 "$1" LC_ALL="$2"
	line '$DTX -q --live --refresh 200ms -s '"$tmp/wide.d"
	wait_for "^  0123456789[0-9]* +[0-9]+$3 +1 +0"
	wait_for "^   0123456789[0-9]*$3\$"
	wait_for "count$4 +per s"
	keys 2
	wait_for "^ @q  quantize\($5\)  2 keys  total 2  0 per s"
	wait_for '^  key +1 +0'
	keys q
	wait_for '^status 0'
}
wide TERM=xterm-256color C.UTF-8 … ↓ …
wide TERM=vt100 C '>' v '\.\.'

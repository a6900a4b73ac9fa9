#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Values change while they are looked at: keys come in any order, are cleared and truncated; the
# numbers on the screen are those that are printed in the end.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/p.d" <<'END'
int k; int go;
tick-2ms /k < 600/ { @n[k * 7919 % 1000, "key"] = count(); @all = sum(k); k++; }
BEGIN { @cleared["a"] = sum(5); @cut["b"] = count(); @least["c"] = min(7); @most["c"] = max(-3); }
tick-1s /k == 600 && !go/ { clear(@cleared); trunc(@cut); go = 1; }
tick-1s /go/ { @cleared["a"] = sum(2); }
END
terminal 100 30
line '$DTX -q --live --refresh 50ms -s '"$tmp/p.d"
wait_for '^ @n  count\(\)  600 keys  total 600  0 per s'
keys 2
wait_for '^ @all  sum\(k\)  1 key  total 179700  0 per s'
keys 5
wait_for '^ +c +7$'
keys 6
wait_for '^ +c +-3$'
keys 4
wait_for '^ @cut  count\(\)  0 keys  total 0'
keys 3
wait_for '^ +a +[246] +[0-9]'
keys t
wait_for '^ @least  min'
keys q
wait_for '^status 0'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: drop.aggregation drop.dynamic opt.dynvarsize opt.aggsize opt.droptags
#
# Lost dynamic variables and aggregation keys are counted; existing ones still work; droptags.
. "$(dirname "$0")/../lib.sh"

some='int i, n; BEGIN { @a[-1] = count(); v[-1] = 7; } tick-1ms /i < 400/ { v[i] = 1; @a[i] = count(); i++; }
	tick-1ms /i == 400/ { @a[-1] = count(); printf("%d\n", v[-1]); exit(0); }'
dtx -q -x cpu=0 -x dynvarsize=2k -x aggsize=2k -x droptags -n "$some"
[ "$(head -n 1 "$tmp/out")" = 7 ] || fail 'the variable that was there is not'
[ "$(value -1)" = 2 ] || fail 'the key that was there is not updated'
lost=$(awk '/\[DTRACEDROP_DYNAMIC\] [0-9]+ dynamic variable drops?$/ { n += $3 } END { print n + 0 }' "$tmp/err")
[ "$lost" -gt 0 ] || fail "no dynamic variable drops: $(cat "$tmp/err")"
lost=$(awk '/\[DTRACEDROP_AGGREGATION\] [0-9]+ aggregation drops? on CPU [0-9]+$/ { n += $3 } END { print n + 0 }' "$tmp/err")
kept=$(grep -cE '^ +[0-9]+ +1$' "$tmp/out")
[ $((kept + lost)) = 400 ] || fail "$kept keys are there and $lost counted of 400: $(cat "$tmp/err")"

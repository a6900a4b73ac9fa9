#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
# needs: none
#
# BEGIN, END and tick probes have no kernel stack: the program is told, not only shown an empty one.
. "$(dirname "$0")/../lib.sh"

said='stack() is empty here: dtx runs BEGIN, END and tick probes itself'
for text in 'BEGIN { stack(); exit(0); }' 'tick-10ms { @[stack(3)] = count(); exit(0); }' 'BEGIN { exit(0); } END { stack(); }'; do
	"$DTX" -q -n "$text" >"$tmp/out" 2>"$tmp/err" || fail "$text: $(cat "$tmp/err")"
	grep -qF "$said" "$tmp/err" || fail "$text: nothing is told"
done
for text in 'profile-997 { stack(); exit(0); }' 'BEGIN { @[ustack()] = count(); exit(0); }' 'BEGIN { exit(0); } ERROR { stack(); }'; do
	"$DTX" -q -n "$text" >"$tmp/out" 2>"$tmp/err" || fail "$text: $(cat "$tmp/err")"
	grep -qF 'is empty here' "$tmp/err" && fail "$text: told, though it has one"
done
exit 0

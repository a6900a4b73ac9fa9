#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes script
# timeout: 60
#
# examples/bashreadline.d: what is typed into an interactive shell.
. "$(dirname "$0")/../lib.sh"

matches 'uprobe:/bin/bash:readline:return' || skip 'bash has no function readline here'
printf '%s\n' 'echo one   two' 'false || :' exit >"$tmp/typed"
"$DTX" -qs examples/bashreadline.d -o "$tmp/out" & dtx=$!
awaits [ -s "$tmp/out" ]
script -qec 'bash --norc --noprofile -i' /dev/null <"$tmp/typed" >/dev/null 2>&1
awaits grep -q ' exit$' "$tmp/out"
kill -TERM $dtx && wait $dtx
same 'TIME UID PID COMMAND' "$(head -n 1 "$tmp/out" | tr -s ' ')" 'another heading'
same '0 echo one   two
0 false || :
0 exit' "$(sed -nE 's/^[0-9:]{8} +([0-9]+) +[0-9]+ /\1 /p' "$tmp/out")" 'not what was typed'

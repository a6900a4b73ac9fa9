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
for _ in {1..60}; do if [ -s "$tmp/out" ]; then break; fi; sleep 0.05; done
script -qec 'bash --norc --noprofile -i' /dev/null <"$tmp/typed" >/dev/null 2>&1
for _ in {1..60}; do if grep -q ' exit$' "$tmp/out"; then break; fi; sleep 0.05; done
kill -TERM $dtx && wait $dtx
same 'TIME UID PID COMMAND' "$(head -n 1 "$tmp/out" | tr -s ' ')" 'another heading'
same '0 echo one   two
0 false || :
0 exit' "$(sed -nE 's/^[0-9:]{8} +([0-9]+) +[0-9]+ /\1 /p' "$tmp/out")" 'not what was typed'

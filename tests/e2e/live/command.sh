#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# What a command of -c and system() write is shown in the log and does not spoil the screen; it is
# printed in the end. Output to a file is as ever.
# needs: root tmux
# where: native
# timeout: 60
. "$(dirname "$0")/terminal.bash"

cat >"$tmp/load" <<'END'
echo to output
echo to error >&2
[ -t 0 ] && echo 'has the keys'
touch "$1/begun"
while [ ! -e "$1/go" ]; do sleep 0.05; done
printf '\033[2Jlast \033[31mwords'
END
terminal 80 24
line '$DTX -qw --live --refresh 100ms -n "BEGIN { @n[\"key\"] = count(); system(\"echo of system; echo err of system >&2\"); }" '"-c 'bash $tmp/load $tmp'"
wait_for '^ > to error'
wait_for '^ > to output'
wait_for '^ > of system'
wait_for '^ > err of system'
wait_for '^  key +1 +0'
screen | grep -q 'has the keys' && fail 'the command reads the keys'
touch "$tmp/go"
wait_for '^status 0'
wait_for '^\\x1b\[2Jlast words'         # what is for a screen is shown
wait_for '^  key +1$'

# To a file: the output of the run, from its begin on.
rm "$tmp/go"
line '$DTX -q --live --refresh 100ms -o '"$tmp/file"' -n "BEGIN { printf(\"written\n\"); @n[\"key\"] = count(); } tick-10s {} END { printf(\"end\n\"); }"'
wait_for '^   written'
keys q
wait_for '^status 0'
same 'written
end

  key                                                               1' "$(cat "$tmp/file")" 'the file'

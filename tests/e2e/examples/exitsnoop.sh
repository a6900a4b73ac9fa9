#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/exitsnoop.d: a status, a signal, how long each lived; threads are not processes.
. "$(dirname "$0")/tool.bash"

own sleeper known
load <<'END'
"$tmp/known" 100 2 7
"$tmp/known" 20000 &
sleep 0.2
kill -KILL $!
wait
"$tmp/known" 1
END
tool exitsnoop -n known
heading 'TIME PROGRAM PID PPID AGE(ms) HOW NUMBER'
same 'known status 7
known signal 9
known status 0' "$(rows 'NR > 1 { print $2, $6, $7 }')" 'not the ends'
rows 'NR == 2 { exit !($5 >= 100 && $5 < 5000) }' && rows 'NR == 3 { exit !($5 >= 190 && $5 < 5000) }' || fail "not the ages: $(cat "$tmp/out")"
tool exitsnoop -f -n known
same 'status 7 signal 9' "$(rows 'NR > 1 { printf "%s%s %s", s, $6, $7; s = " " }')" 'not the failures'

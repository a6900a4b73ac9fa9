#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/syscount.d: the calls of a known mix, by call and by process, with times, and those that fail.
. "$(dirname "$0")/tool.bash"

own syscalls known
own sleeper nap
load <<'END'
"$tmp/known"
END
tool syscount -t 1000
heading 'CALL COUNT'
rows '$1 == "getpgid" { n = $2 } END { exit n < 50 }' || fail 'not the calls'
tool syscount -t 2
same 3 "$(wc -l <"$tmp/out")" 'not two rows'
tool syscount -f --top 1000
rows '$1 == "read" { n = $2 } $1 == "getppid" { bad = 1 } END { exit bad || n < 7 }' || fail 'not the failures'
load <<'END'
"$tmp/nap" 150 1 0
END
tool syscount -P -L -t 1000
rows '$2 == "nap" { n[++k] = $3 } END { exit !(n[2] >= 140000 && n[2] < 5000000 && n[1] > 5) }' || fail "not the time: $(grep nap "$tmp/out")"

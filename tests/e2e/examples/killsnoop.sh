#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/killsnoop.d: signals sent, refused, and asked about.
. "$(dirname "$0")/tool.bash"

own bash known
cat >"$tmp/kills" <<'END'
sleep 10 & p=$!
kill -0 $p; kill -USR1 $p; wait 2>/dev/null
kill -9 999999 2>/dev/null
echo $p
END
load <<'END'
"$tmp/known" "$tmp/kills"
END
tool killsnoop -n known
p=$(grep -xE '[0-9]+' "$tmp/out") && sed -i "/^$p\$/d" "$tmp/out"
heading 'TIME PID PROGRAM CALL SIGNAL TARGET ERR'
same "known kill 0 $p 0
known kill 10 $p 0
known kill 9 999999 3" "$(rows 'NR > 1 { print $3, $4, $5, $6, $7 }')" 'not the signals'
tool killsnoop -n known -f
same '9 999999 3' "$(rows '$3 == "known" { print $5, $6, $7 }')" 'not the one that failed'
tool killsnoop -n known --signal 10
same '10' "$(rows '$3 == "known" { print $5 }')" 'not that signal'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes getent
#
# examples/gethostlatency.d: a name that is found, and one that is not.
. "$(dirname "$0")/tool.bash"

own getent known
run="$tmp/known ahosts localhost" tool gethostlatency
grep '^TIME' "$tmp/out" | tr -s ' ' | grep -qx 'TIME PID PROGRAM CALL US RESULT HOST' || fail 'another heading'
same 'known getaddrinfo 0 localhost' "$(rows '$4 == "getaddrinfo" { print $3, $4, $6, $7; if ($5 < 1) print "no time" }')" 'not the call'
"$DTX" -qs examples/gethostlatency.d -c "$tmp/known ahosts name.invalid." >"$tmp/out" 2>"$tmp/err" || :
same 'known getaddrinfo ok name.invalid.' "$(rows '$4 == "getaddrinfo" { print $3, $4, ($6 < 0) ? "ok" : $6, $7 }')" 'not the failure'

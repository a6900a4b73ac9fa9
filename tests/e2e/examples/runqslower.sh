#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/runqslower.d: two programs share a CPU: each waits while the other one runs.
. "$(dirname "$0")/tool.bash"

own spin known
own spin other
load <<'END'
taskset -c 0 ./known 200 & taskset -c 0 ./other 200 & wait
END
tool runqslower -n known -m 1ms
heading 'TIME CPU PID TID PROGRAM US BEFORE'
rows 'NR > 1 && $5 == "known" && $6 >= 1000 { n++ } NR > 1 && ($5 != "known" || $6 < 1000) { bad++ } $5 == "known" && $NF == "other" && $2 == 0 { after++ } END { exit !n || bad || !after }' || fail "$(cat "$tmp/out")"

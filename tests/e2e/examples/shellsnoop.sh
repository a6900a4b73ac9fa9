#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/shellsnoop.d: shells with their parents; another program is none.
. "$(dirname "$0")/tool.bash"

own bash known
echo 'sh -c ":" one; bash -c "true"; true' >"$tmp/shells"
load <<'END'
./known ./shells </dev/null
END
tool shellsnoop -P known
heading 'TIME UID PID PARENT TTY ARGS'
same '0 known no sh -c : one
0 known no bash -c true' "$(rows 'NR > 1 { $1 = $3 = ""; print }' | sed 's/^ *//; s/  */ /g')" 'not the shells'

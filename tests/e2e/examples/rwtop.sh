#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd
#
# examples/rwtop.d: the bytes of a known program; the top one; the number of tables.
. "$(dirname "$0")/tool.bash"

own dd known
load <<'END'
./known if=/dev/zero of=/dev/null bs=1000 count=500 status=none
END
tool rwtop -i 1h -t 1000
same 'ok' "$(rows '$2 == "known" { if ($4 >= 500 && $5 == 500 && $7 == 500000 && $6 >= 500000 && $3 == $6 + $7) print "ok"; else print }')" 'not the bytes'
"$DTX" -qs examples/rwtop.d 50ms 3 >"$tmp/out" 2>&1
same 3 "$(grep -c PROGRAM "$tmp/out")" 'not three tables'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: setpriv
#
# examples/setuids.d: a program that becomes another user, and cannot go back.
. "$(dirname "$0")/tool.bash"

own setpriv known
load <<'END'
./known --reuid 4321 --clear-groups true
./known --reuid 4321 --clear-groups ./known --reuid 0 true 2>/dev/null
:
END
tool setuids
heading 'TIME PID PROGRAM UID CALL RUID EUID SUID ERR'
same 'known 0 setresuid 4321 4321 4321 0
known 0 setresuid 4321 4321 4321 0
known 4321 setresuid 0 0 0 1' "$(rows '$3 == "known" && $5 == "setresuid" { print $3, $4, $5, $6, $7, $8, $9 }')" 'not the calls'
tool setuids -r
same '4321 1' "$(rows '$3 == "known" { print $4, $9 }')" 'not the one that asks for user 0'

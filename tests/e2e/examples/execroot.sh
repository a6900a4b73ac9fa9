#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf setpriv
#
# examples/execroot.d: a program of user 0, one of another user, and one with the setuid bit.
. "$(dirname "$0")/tool.bash"

own true known
chmod 755 "$tmp"
load <<'END'
./known as root
setpriv --reuid 4321 --clear-groups ./known not root
chmod u+s known
setpriv --reuid 4321 --clear-groups ./known by the bit
chmod u-s known
END
tool execroot
heading 'TIME PID PPID UID HOW PROGRAM ARGS'
case $(findmnt -no OPTIONS -T "$tmp" 2>/dev/null) in *nosuid*) skip 'no programs with the setuid bit here' ;; esac
same '0 root ./known as root
4321 setuid ./known by the bit' "$(rows '$6 == "known" { $1 = $2 = $3 = $6 = ""; print }' | sed 's/^ *//; s/  */ /g')" 'not the programs'
tool execroot -s
same 4321 "$(rows '$6 == "known" { print $4 }')" 'not the one with the bit'

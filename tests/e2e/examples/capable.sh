#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# examples/capable.d: a program that may not change the user of a file, and root that may.
. "$(dirname "$0")/tool.bash"

own chown known
chmod 755 "$tmp"
load <<'END'
:>file
./known 4321 file
setpriv --reuid 4321 --clear-groups ./known 0 file 2>/dev/null
:
END
tool capable -n known
heading 'PROGRAM CAPABILITY ANSWER COUNT'
rows '$2 == "CHOWN" && $3 == "granted" { g = $4 } $2 == "CHOWN" && $3 == "denied" { d = $4 } END { exit !(g >= 1 && d >= 1) }' || fail "$(cat "$tmp/out")"
tool capable -n known -d
same 0 "$(rows '$3 == "granted"' | wc -l)" 'checks that were granted'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/biostacks.d: known direct reads with the path that made them, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool biostacks -n known
same 1 "$(rows '$1 == "known" { n++ } END { print (n >= 1) }')" 'no program'
rows '/read/ { stack = 1 } /\|/ { n += $NF } END { exit !(stack && n >= 10) }' || fail "not the reads: $(cat "$tmp/out")"

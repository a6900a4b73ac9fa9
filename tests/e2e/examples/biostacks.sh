#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/biostacks.d: known direct reads with the path that made them, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
dd if=/dev/zero of="$tmp/file" bs=64k count=8 oflag=direct status=none 2>/dev/null || skip "no direct writes in $tmp"
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool biostacks -n known
same 1 "$(rows '$1 == "known" { n++ } END { print (n >= 1) }')" 'no program'
rows '/read/ { stack = 1 } /\|/ { n += $NF } END { exit !(stack && n >= 10) }' || fail "not the reads: $(cat "$tmp/out")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/bitesize.d: known direct reads by their size, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
dd if=/dev/zero of="$tmp/file" bs=64k count=8 oflag=direct status=none 2>/dev/null || skip "no direct writes in $tmp"
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool bitesize -n known
same 10 "$(rows '$1 == 32768 { print $NF }')" 'not ten of 32 KiB'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/hardirqs.d: the interrupts of a disk that reads.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
dd if=/dev/zero of="$tmp/file" bs=64k count=8 oflag=direct status=none 2>/dev/null || skip "no direct writes in $tmp"
load <<'END'
for i in 1 2 3 4 5; do dd if=file of=/dev/null bs=4k iflag=direct status=none; done
END
tool hardirqs
heading 'HANDLER TIME(us) COUNT'
rows 'NR > 1 { if ($NF > 0) n += $NF } END { exit n < 5 }' || fail "$(cat "$tmp/out")"
tool hardirqs -d
rows '/\|/ { n += $NF } END { exit n < 5 }' || fail "$(cat "$tmp/out")"

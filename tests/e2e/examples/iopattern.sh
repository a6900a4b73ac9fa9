#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/iopattern.d: per cent, sizes and kilobytes of known direct reads, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
load <<'END'
dd if=file of=/dev/null bs=4k count=100 iflag=direct status=none
END
tool iopattern -i 1h
rows '$1 ~ /^[0-9]+,[0-9]+$/ && $4 >= 100 { if ($2 + $3 >= 99 && $2 + $3 <= 100 && $8 >= 400 && $5 <= 4096 && $6 >= 4096 && $3 >= 20) ok = 1 } END { exit !ok }' || fail "$(cat "$tmp/out")"

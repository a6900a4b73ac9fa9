#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/hardirqs.d: the interrupts of a disk that reads.
. "$(dirname "$0")/tool.bash"

file_on_disk
load <<'END'
for i in 1 2 3 4 5; do dd if=file of=/dev/null bs=4k iflag=direct status=none; done
END
tool hardirqs
heading 'HANDLER TIME(us) COUNT'
rows 'NR > 1 { if ($NF > 0) n += $NF } END { exit n < 5 }' || fail "$(cat "$tmp/out")"
tool hardirqs -d
rows '/\|/ { n += $NF } END { exit n < 5 }' || fail "$(cat "$tmp/out")"

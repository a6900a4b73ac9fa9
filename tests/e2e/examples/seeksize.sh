#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/seeksize.d: reads that go on where the last one ended, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
own dd known
load <<'END'
./known if=file of=/dev/null bs=4k count=10 iflag=direct status=none
END
tool seeksize -n known
same 9 "$(rows '/\|/ { n += $NF } END { print n }')" 'not nine distances'
rows '/\|/ && $1 == 0 { n = $NF } END { exit n < 8 }' || fail "not in sequence: $(cat "$tmp/out")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/biotop.d: the bytes of known direct reads, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool biotop -i 1h
same '327680 ok' "$(rows '$1 == "known" && $3 ~ /^R/ { print $4, ($5 >= 10 && $6 > 0) ? "ok" : $0 }')" 'not the bytes'

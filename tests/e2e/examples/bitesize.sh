#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/bitesize.d: known direct reads by their size, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool bitesize -n known
same 10 "$(rows '$1 == 32768 { print $NF }')" 'not ten of 32 KiB'

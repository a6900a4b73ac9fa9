#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/biosnoop.d: direct reads of a known number and size, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

file_on_disk
own dd known
load <<'END'
./known if=file of=/dev/null bs=32k count=10 iflag=direct status=none
END
tool biosnoop -n known
heading 'TIME PID PROGRAM DEVICE OP SECTOR BYTES QUEUE DISK'
same 327680 "$(rows '$3 == "known" && $5 ~ /^R/ && $9 > 0 { n += $7 } END { print n }')" 'not the bytes'
rows '$3 == "known" && $5 ~ /^R/ { n++ } END { exit !(n >= 10) }' || fail "not ten reads: $(cat "$tmp/out")"
tool biosnoop -n known -m 1h
same 1 "$(wc -l <"$tmp/out")" 'requests of less than an hour'

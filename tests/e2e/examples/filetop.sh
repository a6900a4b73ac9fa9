#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd
#
# examples/filetop.d: the bytes of known reads and writes, by file; the top one; other kinds of files.
. "$(dirname "$0")/tool.bash"

own dd known
load <<'END'
./known if=/dev/zero of=file bs=3000 count=40 status=none
./known if=file of=copy bs=3000 count=30 status=none
END
tool filetop -i 1h -t 1000
same "known 120000 0 40 0 120000 $tmp/file
known 90000 0 30 0 90000 $tmp/copy
known 90000 30 0 90000 0 $tmp/file" "$(rows '$2 == "known" && $8 ~ /(file|copy)$/ { $1 = ""; print }' | sed 's/^ //' | sort -k2,2nr -k3,3n)" 'not the files'
same 0 "$(rows '$8 ~ /^.dev/' | wc -l)" 'a device'
tool filetop -i 1h -a -t 1000
same 'known 120000 40 0' "$(rows '$2 == "known" && $8 == "/dev/zero" { print $2, $3, $4, $5 }')" 'not the device'
tool filetop -i 1h -t 1
same 3 "$(sed '/^$/d' "$tmp/out" | wc -l)" 'not one row'

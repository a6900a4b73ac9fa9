#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
# timeout: 60
#
# examples/ext4slower.d: reads and writes of a file in a file system of that kind.
. "$(dirname "$0")/tool.bash"

modules loop crc16 mbcache jbd2 crc32c_generic libcrc32c xor raid6_pq ext4 2>/dev/null
type -P mkfs.ext4 >/dev/null || skip 'no mkfs.ext4 here'
truncate -s 24M "$tmp/image"
mkfs.ext4 -q "$tmp/image" >/dev/null 2>&1 || skip 'mkfs.ext4 fails here'
mkdir "$tmp/disk"
mount -o loop "$tmp/image" "$tmp/disk" 2>/dev/null || skip 'no ext4 in this kernel'
trap 'umount "$tmp/disk"; rm -rf "$tmp"' EXIT
own dd known
load <<'END'
./known if=/dev/zero of=disk/file bs=3000 count=4 status=none
./known if=disk/file of=/dev/null bs=3000 count=3 status=none
END
tool ext4slower -n known -m 0
heading 'TIME PID PROGRAM WHAT BYTES OFFSET US FILE'
same '4 write 3000
3 read 3000' "$(rows '$8 == "file" && $4 ~ /read|write/ { print $4, $5 }' | sort -r | uniq -c | sed 's/^ *//')" 'not the calls'
same '0 3000 6000 9000' "$(rows '$8 == "file" && $4 == "write" { print $6 }' | tr '\n' ' ' | sed 's/ $//')" 'not the places'

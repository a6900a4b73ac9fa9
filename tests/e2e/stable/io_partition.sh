#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
# where: guest
#
# io: a request to a partition has the partition's name in /dev, also where the disk's name ends in a digit.
. "$(dirname "$0")/../lib.sh"
modules loop

# A table of one partition: Linux, sectors 2048 to 6143.
truncate -s 4M "$tmp/image"
printf '\0\0\0\0\x83\0\0\0\0\x08\0\0\0\x10\0\0' | dd of="$tmp/image" bs=1 seek=446 conv=notrunc status=none
printf '\x55\xaa' | dd of="$tmp/image" bs=1 seek=510 conv=notrunc status=none
loop=$(losetup -f --show -P "$tmp/image") || skip "no loop device can be set up here"
trap 'losetup -d "$loop"; rm -rf "$tmp"' EXIT
[ -b "${loop}p1" ] || skip "this kernel has no partitions of loop devices"
dtx -qn 'io:::start /execname == "dd" && args[0]->b_bcount == 8192/ { printf("%s %s\n", args[1]->dev_name, args[1]->dev_statname); }' \
	-c "dd if=${loop}p1 of=/dev/null iflag=direct bs=8k count=1 status=none"
if grep -qam 1 bd_start_sect /sys/kernel/btf/vmlinux; then want="${loop#/dev/} ${loop#/dev/}p1"
else want="${loop#/dev/} ${loop#/dev/}"; fi       # before 5.12 the request is that of the disk by then
same "$want" "$(grep . "$tmp/out")" "the names of the device"

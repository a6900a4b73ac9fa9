#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup dmsetup
# where: guest
#
# io on a striped volume of two loop devices: a driver that splits a request leaves in it what was last, but io:::done has
# the size and the place of the whole one, as io:::start; the sums are those of /sys/block/DEVICE/stat.
# truth: io:::done, args[0]->b_bcount of a split request | its bytes, each and the sum | /sys/block/*/stat, dd
# truth: io:::done, args[0]->b_blkno of a split request | its first sector | dd
# truth: io:::start, args[0]->b_bcount | the bytes of each request | dd
. "$(dirname "$0")/../lib.sh"
modules loop dax dm-mod

loops=()
for i in 1 2; do
	dd if=/dev/zero of="$tmp/image$i" bs=1M count=2 status=none
	loops+=("$(losetup -f --show "$tmp/image$i")") || skip 'no loop device can be set up here'
done
dmsetup create dtxstripe --noudevsync --table "0 8192 striped 2 16 ${loops[0]} 0 ${loops[1]} 0" || skip 'no device-mapper here'
dmsetup mknodes 2>/dev/null
trap 'dmsetup remove --noudevsync dtxstripe; losetup -d "${loops[@]}"; rm -rf "$tmp"' EXIT
name=$(basename "$(readlink -f /dev/mapper/dtxstripe)")
if [ "$name" = dtxstripe ]; then name=dm-$((0x$(stat -c %T /dev/mapper/dtxstripe))); fi
sectors() { awk '{ print $3, $7 }' "/sys/block/$name/stat"; }

cat >"$tmp/load" <<-'END'
	dd if=/dev/mapper/dtxstripe of=/dev/null iflag=direct bs=64k count=10 status=none
	dd if=/dev/zero of=/dev/mapper/dtxstripe oflag=direct bs=32k count=3 seek=4 status=none
END
read -r r w < <(sectors)
dtx -qn 'io:::start, io:::done /args[1]->dev_statname == $$1/ {
	printf("%s %s %d %d\n", probename, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno, args[0]->b_bcount); }' \
	"$name" -c "sh $tmp/load"
read -r r2 w2 < <(sectors)
want=$(for ((i = 0; i < 10; i++)); do echo "R $((i * 128)) 65536"; done
	for ((i = 4; i < 7; i++)); do echo "W $((i * 64)) 32768"; done)
for how in start 'done'; do
	same "$want" "$(sed -n "s/^$how //p" "$tmp/out")" "io:::$how"
done
same "$((r2 - r)) $((w2 - w))" \
	"$(awk '/^done R/ { r += $4 } /^done W/ { w += $4 } END { print r / 512, w / 512 }' "$tmp/out")" 'not what the kernel counts'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup mkfs.ext4
# where: both
# timeout: 60
#
# sysinfo: reads and writes of a block device of our own, past the cache and through it, and modules of the kernel.
# truth: sysinfo:::phread, phwrite | reads and writes of a block device | dd
# truth: sysinfo:::bread, bwrite | the same as phread and phwrite | dd
# truth: sysinfo:::lwrite, bawrite | blocks written to the cache, blocks whose writing is begun and not awaited | the program's own calls
# truth: sysinfo:::lread | blocks read in the cache | the kernel's own record of its event, in tracefs
. "$(dirname "$0")/../lib.sh"
modules loop crc32c_generic mbcache jbd2 ext4

dd if=/dev/zero of="$tmp/image" bs=1M count=8 status=none
mkfs.ext4 -q "$tmp/image" || skip 'no file system can be made here'
loop=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'umount "$tmp/at" 2>/dev/null; losetup -d "$loop"; rm -rf "$tmp"' EXIT
mkdir "$tmp/at"

cat >"$tmp/direct" <<-END
	dd if=$loop of=/dev/null iflag=direct bs=16k count=5 status=none
	dd if=$loop of=$tmp/first bs=16k count=3 status=none
	dd if=$tmp/first of=$loop oflag=direct bs=16k count=3 status=none
END
dtx -qn 'sysinfo:::bread, sysinfo:::phread, sysinfo:::bwrite, sysinfo:::phwrite /execname == "dd"/ { @[probename] = sum(arg0); }' -c "sh $tmp/direct"
[ "$(value phwrite)" = 3 ] || fail "$(value phwrite) writes, not 3"
[ "$(value phread)" -ge 6 ] || fail "$(value phread) reads, not the 5 of 16 kB and those of the cache"
same "$(value bread) $(value bwrite)" "$(value phread) $(value phwrite)" 'bread and bwrite'

# Five blocks that are no neighbours, so that each is a request of its own.
size=$(blockdev --getbsz "$loop")
cat >"$tmp/cache.py" <<-END
	import ctypes, os
	libc = ctypes.CDLL(None)
	fd = os.open("$loop", os.O_RDWR)
	os.getpgid(0)
	for i in range(5): os.pwrite(fd, b"x" * $size, 65536 * (2 * i + 1))
	libc.sync_file_range(fd, ctypes.c_long(0), ctypes.c_long(0), 2)    # SYNC_FILE_RANGE_WRITE: nobody waits
	os.getpgid(0)
	os._exit(0)
END
dtx -qn 'int on; sysinfo:::lwrite, sysinfo:::bawrite, sysinfo:::bwrite /pid == $target && on/ { @[probename] = sum(arg0); }
	syscall::getpgid:entry /pid == $target/ { on = !on; }' -c "python3 $tmp/cache.py"
same 'lwrite 5 bawrite 5 bwrite 5' "lwrite $(value lwrite) bawrite $(value bawrite) bwrite $(value bwrite)" 'through the cache'

cat >"$tmp/cached" <<-END
	mount $loop $tmp/at
	echo text >$tmp/at/file
	mkdir $tmp/at/folder
	dd if=/dev/zero of=$tmp/at/large bs=64k count=4 oflag=nocache status=none
	sync
	ls $tmp/at/folder
	umount $tmp/at
END
if mount "$loop" "$tmp/at" 2>/dev/null; then
	umount "$tmp/at"
	own=/sys/kernel/tracing/instances/dtx_test_$$
	mkdir $own || skip 'tracefs cannot be written'
	trap 'umount "$tmp/at" 2>/dev/null; rmdir $own; losetup -d "$loop"; rm -rf "$tmp"' EXIT
	echo 1 >$own/events/block/block_touch_buffer/enable
	dev=$((0x$(stat -c %t "$loop"))),$((0x$(stat -c %T "$loop")))
	dtx -qn 'sysinfo:::lwrite { @[probename] = sum(arg0); }
		rawtp:block::block_touch_buffer { self->dev = args.bh->b_bdev->bd_dev; }
		sysinfo:::lread /self->dev >> 20 == $1 && (self->dev & 0xfffff) == $2/ { @[probename] = sum(arg0); }' "${dev%,*}" "${dev#*,}" -c "sh $tmp/cached"
	for name in lread lwrite; do [ "$(value $name)" -ge 1 ] || { cat "$tmp/out" >&2; fail "no $name"; }; done
	same "$(grep -c "block_touch_buffer: $dev " $own/trace)" "$(value lread)" "blocks read in the cache"
fi

# A module that nothing else uses comes and goes.
[ -n "${DTX_GUEST:-}" ] || exit 0
dummy=$(module_file dummy)
[ -n "$dummy" ] || exit 0
printf 'insmod %s\nrmmod dummy\n' "$dummy" >"$tmp/comes"
dtx -qn 'sysinfo:::modload, sysinfo:::modunload { @[probename] = sum(arg0); }' -c "sh $tmp/comes"
same 'modload 1 modunload 1' "modload $(value modload) modunload $(value modunload)" 'a module'

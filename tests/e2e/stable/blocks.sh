#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup mkfs.ext4
# where: both
# timeout: 60
#
# sysinfo: reads and writes of a block device of our own, past the cache and through it, and modules of the kernel.
# truth: sysinfo:::phread, phwrite | reads and writes of a block device | dd
# truth: sysinfo:::bread, bwrite | the same as phread and phwrite | dd
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
	dtx -qn 'sysinfo:::lread, sysinfo:::lwrite, sysinfo:::bawrite { @[probename] = sum(arg0); }' -c "sh $tmp/cached"
	for name in lread lwrite bawrite; do [ "$(value $name)" -ge 1 ] || { cat "$tmp/out" >&2; fail "no $name"; }; done
fi

# A module that nothing else uses comes and goes.
[ -n "${DTX_GUEST:-}" ] || exit 0
dummy=$(find "/lib/modules/$(uname -r)/" -name 'dummy.ko*' | head -n 1)
[ -n "$dummy" ] || exit 0
printf 'insmod %s\nrmmod dummy\n' "$dummy" >"$tmp/comes"
dtx -qn 'sysinfo:::modload, sysinfo:::modunload { @[probename] = sum(arg0); }' -c "sh $tmp/comes"
same 'modload 1 modunload 1' "modload $(value modload) modunload $(value modunload)" 'a module'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup mkfs.xfs
# where: native
#
# io: buffers of XFS that are waited for: each wait begins and ends, in the same thread, with the device, the place and the size
# of what is read.
# truth: io:::wait-start, wait-done, args[0], args[1] | each wait ends in its thread, with device, place and size | the file system that ls reads
. "$(dirname "$0")/../lib.sh"

[ -e /sys/kernel/tracing/events/xfs/xfs_buf_iowait ] || skip "this kernel has no XFS"
truncate -s 320M "$tmp/image"
mkfs.xfs -q "$tmp/image" || fail "mkfs.xfs"
loop=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'mountpoint -q "$tmp/mnt" && umount "$tmp/mnt"; losetup -d "$loop"; rm -rf "$tmp"' EXIT
mkdir "$tmp/mnt"
cat >"$tmp/script" <<-END
	mount $loop $tmp/mnt && mkdir -p $tmp/mnt/a/b && umount $tmp/mnt
	mount $loop $tmp/mnt && ls -R $tmp/mnt >/dev/null; umount $tmp/mnt
END
dtx -qn 'io:::wait-start /args[1]->dev_statname == $$1/ { self->at = args[0]->b_blkno + 1; @start["started"] = count(); }
	io:::wait-done /args[1]->dev_statname == $$1 && self->at == args[0]->b_blkno + 1/ { self->at = 0; @done["ended"] = count(); }
	io:::wait-start /args[1]->dev_statname == $$1 && execname == "ls"/ {
		printf("ls %d %s %d %d\n", args[0]->b_bcount, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_blkno > 0, args[0]->b_error);
	}' "${loop#/dev/}" -c "sh $tmp/script"
[ "$(value started)" -ge 5 ] || { cat "$tmp/out" >&2; fail "few buffers were waited for"; }
same "$(value started)" "$(value ended)" "waits that ended where they began"
same 'ls 16384 R 1 0' "$(grep '^ls' "$tmp/out" | sort -u)" "what ls read"

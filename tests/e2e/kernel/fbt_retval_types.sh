#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# where: guest
#
# retval of a pattern of functions that return different types (vfs_rmdir: int, vfs_write: ssize_t).
. "$(dirname "$0")/../lib.sh"

dtx -qn 'kretprobe:vfs_[rw]* /pid == $target/ { @[probefunc] = sum(retval); } END { printa("%s %@d\n", @); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=1000 count=20 status=none'
grep -qx 'vfs_write 20000' "$tmp/out" || { cat "$tmp/out" >&2; fail "not what was written"; }

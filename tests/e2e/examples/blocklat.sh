#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: dd findmnt
#
# examples/blocklat.d: three direct writes of 64 KiB, on a machine with a disk.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
write="dd if=/dev/zero of=$tmp/file bs=64k count=3 oflag=direct,dsync status=none"
$write 2>/dev/null || skip "no direct writes in $tmp"
rm "$tmp/file"
run="$write" tool blocklat
head -n 1 "$tmp/out" | grep -q '^DEVICE    OP ' || fail "no heading"
n=$(awk '$2 ~ /^[FW]/ && $4 == 65536 && $5 > 0' "$tmp/out" | wc -l)
[ "$n" -ge 3 ] || { cat "$tmp/out" >&2; fail "$n writes of 65536 bytes, not 3 or more"; }
grep -qE '^[0-9]+,[0-9]+ [FW][A-Z]* \(us\):$' "$tmp/out" && grep -q Distribution "$tmp/out" || fail "no distribution"

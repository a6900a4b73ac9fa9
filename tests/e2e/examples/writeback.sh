#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/writeback.d: 4 MB of a file on a disk are written by sync.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
load <<'END'
dd if=/dev/zero of=file bs=64k count=64 status=none
sync
END
tool writeback
heading 'TIME DEVICE REASON PAGES US'
rows '$3 == "sync" && $4 >= 1024 && $5 > 0 { found = 1 } END { exit !found }' || fail "$(cat "$tmp/out")"
tool writeback -t
rows '$2 == "sync" && $3 >= 1024 && $4 > 0 { found = 1 } END { exit !found }' || fail "$(cat "$tmp/out")"

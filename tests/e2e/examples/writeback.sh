#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/writeback.d: three times 4 MB of a file on a disk are written by sync; others may have written a part.
. "$(dirname "$0")/tool.bash"

[[ $(findmnt -no SOURCE -T "$tmp") = /dev/* ]] || skip "$tmp is not on a block device"
load <<'END'
for i in 1 2 3; do
	dd if=/dev/zero of=file$i$$ bs=64k count=64 status=none
	sync
done
END
tool writeback
heading 'TIME DEVICE REASON PAGES US'
rows '$3 == "sync" && $5 > 0 { found = 1 } { n += $4 } END { exit !found || n < 1024 }' || fail "$(cat "$tmp/out")"
tool writeback -t
rows '$2 == "sync" && $4 > 0 { found = 1 } { n += $3 } END { exit !found || n < 1024 }' || fail "$(cat "$tmp/out")"

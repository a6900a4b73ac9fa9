#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
# where: both
#
# io: a request that fails says so at its end, with its error number; one that does not has none.
. "$(dirname "$0")/lib.sh"
modules loop

dd if=/dev/zero of="$tmp/image" bs=1M count=4 status=none
loop=$(losetup -f --show "$tmp/image") || skip "no loop device can be set up here"
trap 'losetup -d "$loop"; rm -rf "$tmp"' EXIT
cat >"$tmp/script" <<-END
	dd if=$loop of=/dev/null iflag=direct bs=4k count=1 status=none
	truncate -s 4096 $tmp/image
	dd if=$loop of=/dev/null iflag=direct bs=4k count=1 skip=512 status=none
END
dtx -qn 'io:::start, io:::done /args[1]->dev_statname == $$1 && args[0]->b_bcount == 4096 && (args[0]->b_blkno == 0 || args[0]->b_blkno == 4096)/ {
	printf("%s %d %d %d %d\n", probename, args[0]->b_blkno, args[0]->b_error, (args[0]->b_flags & B_ERROR) != 0,
	    args[0]->b_iodone != NULL);
}' "${loop#/dev/}" -c "sh $tmp/script"
same 'done 0 0 0 1
done 4096 5 1 1
start 0 0 0 1
start 4096 0 0 1' "$(grep -E '^(start|done)' "$tmp/out" | sort -u)" "the errors of requests"

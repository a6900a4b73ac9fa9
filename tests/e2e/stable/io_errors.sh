#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: losetup
# where: both
#
# io: a request that fails says so at its end, with its error number; one that does not has none.
# truth: io:::done, args[0]->b_error | the error number of a request that fails | what dd is told
# truth: io:::done, args[0]->b_flags | B_ERROR if a request fails | what dd is told
. "$(dirname "$0")/../lib.sh"
modules loop

# A file of 4 MB in a file system that has room for 1 MB.
mkdir "$tmp/full"
mount -t tmpfs -o size=1m none "$tmp/full" || skip "nothing can be mounted here"
truncate -s 4M "$tmp/full/image"
loop=$(losetup -f --show "$tmp/full/image")
trap '[ -z "$loop" ] || losetup -d "$loop"; umount -l "$tmp/full"; rm -rf "$tmp"' EXIT
[ -n "$loop" ] || skip "no loop device can be set up here"
cat >"$tmp/script" <<-END
	dd if=/dev/zero of=$loop oflag=direct bs=4k count=1 status=none
	dd if=/dev/zero of=$loop oflag=direct bs=64k count=32 seek=1 status=none
END
dtx -qn 'io:::start, io:::done /args[1]->dev_statname == $$1 && args[0]->b_flags & B_WRITE &&
    (args[0]->b_bcount == 4096 || args[0]->b_error)/ {
	printf("%s %d %d %d %d\n", probename, args[0]->b_blkno, args[0]->b_error, (args[0]->b_flags & B_ERROR) != 0,
	    args[0]->b_iodone != NULL);
}' "${loop#/dev/}" -c "sh $tmp/script"
same 'done 0 0 0 1
start 0 0 0 1' "$(grep -E '^(start|done) 0 ' "$tmp/out" | sort -u)" "a request that does not fail"
# What the program is told: kernels differ.
error=$(grep -q 'No space left' "$tmp/err" && echo 28 || echo 5)
same "$error 1 1" "$(grep '^done [1-9]' "$tmp/out" | cut -d' ' -f3- | sort -u)" "a request that fails"
! grep '^start [1-9]' "$tmp/out" || fail "an error before the end"

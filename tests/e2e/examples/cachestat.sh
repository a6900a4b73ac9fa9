#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# on: newest
# where: guest
# timeout: 60
#
# examples/cachestat.d: a file of 500 pages that is not in the cache, and then is.
. "$(dirname "$0")/tool.bash"

filesystem ext4 24M crc16 mbcache jbd2 crc32c_generic
dd if=/dev/zero of="$tmp/disk/file" bs=4k count=500 status=none
sync
load <<<'echo 1 >/proc/sys/vm/drop_caches; cat disk/file >/dev/null; sleep 1; for i in 1 2 3 4; do cat disk/file >/dev/null; done'
tool cachestat -i 1s
heading 'TIME HITS MISSES DIRTIED'
read -r hits misses < <(rows 'NR > 1 { hits += $2; misses += $3 } END { print hits + 0, misses + 0 }')
[ "$misses" -ge 500 ] && [ "$misses" -lt 1500 ] || fail "$misses misses: $(cat "$tmp/out")"
[ "$hits" -ge 2000 ] || fail "$hits hits: $(cat "$tmp/out")"

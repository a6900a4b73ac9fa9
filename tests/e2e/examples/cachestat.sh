#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# on: newest
# where: guest
# timeout: 60
#
# examples/cachestat.d: a file of 500 pages that is not in the cache, and then is.  The folios that they are in are counted by the
# kernel's tracepoint: from Linux 6.16 on ext4 has some of more than one page.
. "$(dirname "$0")/tool.bash"

filesystem ext4 24M crc16 mbcache jbd2 crc32c_generic
dd if=/dev/zero of="$tmp/disk/file" bs=4k count=500 status=none
sync
load <<<'uncached disk/file; cat disk/file >/dev/null; sleep 1; for i in 1 2 3 4; do cat disk/file >/dev/null; done'
inode=$(stat -c %i "$tmp/disk/file")
"$DTX" -qn "BEGIN { printf(\"ready\n\"); } tracepoint:filemap:mm_filemap_add_to_page_cache /args.i_ino == $inode/ { @folios = count(); @pages = sum(1 << args.order); }
	END { printa(\"%@d\", @folios); printa(\" %@d\\n\", @pages); }" >"$tmp/folios" 2>&1 &
counter=$!
awaits grep -q ready "$tmp/folios"
tool cachestat -i 1s
kill $counter
wait $counter
{ read -r _; read -r folios pages; } <"$tmp/folios"
[ "$pages" = 500 ] || fail "not 500 pages read: $(cat "$tmp/folios")"
heading 'TIME HITS MISSES DIRTIED'
read -r hits misses < <(rows 'NR > 1 { hits += $2; misses += $3 } END { print hits + 0, misses + 0 }')
[ "$misses" -ge "$folios" ] && [ "$misses" -lt $((folios + 1000)) ] || fail "$misses misses, $folios folios: $(cat "$tmp/out")"
[ "$hits" -ge $((folios * 4)) ] || fail "$hits hits, $folios folios: $(cat "$tmp/out")"

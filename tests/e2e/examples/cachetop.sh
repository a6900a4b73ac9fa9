#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# on: newest
# where: guest
# timeout: 60
#
# truth: tools, cachetop | pages that two programs miss in the cache and find there | a file of 500 pages, emptied from the cache
# examples/cachetop.d: one program reads a file that is not in the cache, another one finds it there.
. "$(dirname "$0")/tool.bash"

filesystem ext4 24M crc16 mbcache jbd2 crc32c_generic
own cat first
own cat second
own cat neither
dd if=/dev/zero of="$tmp/disk/file" bs=4k count=500 status=none
sync
load <<<'uncached disk/file; ./first disk/file >/dev/null; for i in 1 2 3 4; do ./second disk/file >/dev/null; ./neither /dev/null; done'
# The folios of the file that come into the cache: from Linux 6.16 on ext4 has some of more than one page.
inode=$(stat -c %i "$tmp/disk/file")
"$DTX" -qn "BEGIN { printf(\"ready\n\"); } tracepoint:filemap:mm_filemap_add_to_page_cache /args.i_ino == $inode/ { @ = count(); } END { printa(\"%@d\\n\", @); }" >"$tmp/folios" 2>&1 &
counter=$!
awaits grep -q ready "$tmp/folios"
tool cachetop -i 50s
kill $counter
wait $counter
{ read -r _; read -r folios; } <"$tmp/folios"
# The start of a program finds pages, too: those of one that reads nothing are taken off.
rows '$3 == "first" { misses += $5 } $3 == "second" { hits += $4; late += $5 } $3 == "neither" { hits -= $4 } END { print hits + 0, misses + 0, late + 0 }' >"$tmp/sums"
read -r hits misses late <"$tmp/sums"
[ "$misses" -ge "$folios" ] && [ "$misses" -lt $((folios + 100)) ] && [ "$late" -lt 100 ] || fail "$folios folios: $(cat "$tmp/out")"
[ "$hits" -ge $((folios * 4 - 100)) ] && [ "$hits" -lt $((folios * 4 + 200)) ] || fail "$folios folios, $hits hits: $(cat "$tmp/out")"

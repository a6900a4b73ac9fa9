#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf
# on: newest
# where: guest
# timeout: 60
#
# truth: tools, readahead | folios that are read ahead, and used | a file of 500 pages that is read whole, or only its beginning
# examples/readahead.d: a program reads a file that is not in the cache, whole and then only its beginning.
. "$(dirname "$0")/tool.bash"

filesystem ext4 24M crc16 mbcache jbd2 crc32c_generic
own cat whole
own dd begin
dd if=/dev/zero of="$tmp/disk/file" bs=4k count=500 status=none
sync
folios=500
[ "$(uname -r | awk -F. '{ print $1 * 100 + $2 }')" -lt 616 ] || folios=8    # ext4 has some of more than one page

# counts NAME COMMAND: what was read ahead for it, and of these not used.
counts() {
	load <<<"uncached disk/file; $2"
	tool readahead -n "$1"
	sed -n 's/^read ahead: *\([0-9]*\), of these not used: *\([0-9]*\)$/\1 \2/p' "$tmp/out"
}
read -r ahead unused < <(counts whole './whole disk/file >/dev/null')
[ "$ahead" -ge $((folios / 2)) ] && [ "$ahead" -lt $((folios + 100)) ] && [ "$unused" -le $((ahead / 10)) ] || fail "all of it: $(cat "$tmp/out")"
read -r ahead unused < <(counts begin './begin if=disk/file of=/dev/null bs=4k count=1 status=none')
[ "$ahead" -ge 2 ] && [ "$unused" -ge $((ahead / 2)) ] && [ "$unused" -lt "$ahead" ] || fail "the beginning: $(cat "$tmp/out")"

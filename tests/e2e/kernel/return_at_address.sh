#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# where: guest
# timeout: 60
#
# Kernel functions by address: entry and return where a function begins, a place elsewhere; f+0 has the return probe of f.
. "$(dirname "$0")/../lib.sh"
at=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
end=$(printf %x $((0x$at + 4)))

listed() { "$DTX" -ln "$1" 2>&1 | awk '$2 == "fbt" { print $2, $4, $5 }'; }

same 'fbt vfs_read entry' "$(listed "kprobe:0x$at")" entry
same 'fbt vfs_read return' "$(listed "kretprobe:0x$at")" return
same 'fbt vfs_read return' "$(listed 'kretprobe:vfs_read+0')" 'offset 0'
# The second instruction begins after a landing pad of 4 bytes, or after the 5 of a call of ftrace.
places=
for n in 4 5; do
	place=$(listed "kprobe:vfs_read+$n")
	same "$place" "$(listed "kprobe:0x$(printf %x $((0x$at + n)))")" "the place at $n"
	places+=$place
done
[ -n "$places" ] || fail 'no place inside of vfs_read'
refused 'a return probe is set where a function begins' -en "kretprobe:0x$end { }"
refused 'a return probe is set where a function begins' -en 'kretprobe:vfs_read+0x4 { }'
refused "the kernel has no code at '0x1234'" -en 'kprobe:0x1234 { }'

dtx -qn "kretprobe:0x$at /pid == \$target/ { @[\"n\"] = count(); @[retval == 777 ? \"right\" : \"else\"] = count(); }" -c "$t/reads 777:20"
[ "$(value right)" = 20 ] || fail "not 20 reads: $(cat "$tmp/out")"

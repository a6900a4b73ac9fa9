#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf kprobes
# on: newest
#
# A description of a guest has what kernel functions need: how each of them is probed, its arguments, its place. An image
# that is made by it is the one that is made there, and runs there.
# truth: a machine in a file, kernel functions | images made with -x machine=FILE, and the list of functions | the images and the list made on that machine
. "$(dirname "$0")/../lib.sh"
m=$tmp/there.machine

dtx --describe "$m"
while IFS= read -r program; do
	dtx --image "$tmp/made" -n "$program"
	dtx --image "$tmp/meant" -x machine="$m" -n "$program"
	cmp "$tmp/made" "$tmp/meant" || fail "the image of $program differs"
	rm "$tmp/made" "$tmp/meant"
done <<'END'
fbt::vfs_read:entry { trace(args[0]->f_path.dentry->d_name.name); } fbt::vfs_read:return { trace(args[1]); }
fbt::vfs_*:entry, fbt::do_exit:return { @[probefunc, stack()] = count(); }
BEGIN { trace(ipl); trace(`jiffies); exit(0); }
END
"$DTX" -lvn 'fbt::tcp_*:' >"$tmp/made" 2>/dev/null
"$DTX" -x machine="$m" -lvn 'fbt::tcp_*:' >"$tmp/meant" 2>/dev/null
cmp "$tmp/made" "$tmp/meant" || fail 'the list differs'

dtx --image "$tmp/runs" -x machine="$m" -qn 'fbt::vfs_read:entry /execname == "cat"/ { printf("read\n"); exit(0); }'
(while [ ! -e "$tmp/ended" ]; do cat /proc/version >/dev/null; sleep 0.2; done) &
dtx -r "$tmp/runs"
touch "$tmp/ended"
same read "$(sed '/^$/d' "$tmp/out")" 'what the image prints'
dtx -e -x machine="$m" -n 'kprobe:vfs_read+0x1 { @ = count(); }'
grep -q 'a description has no code' "$tmp/err" || fail "a place in code: $(cat "$tmp/err")"
"$DTX" -e -x machine="$m" -n 'kprobe:0xffffffff81000000 { @ = count(); }' 2>"$tmp/err" && fail 'an address'
grep -q 'addresses of the kernel change with each boot' "$tmp/err" || fail "an address: $(cat "$tmp/err")"

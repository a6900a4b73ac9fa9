#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf kprobes
# on: newest
#
# A description of a guest has what kernel functions need: how each of them is probed, its arguments, its place. An image
# that is made by it, here and on the host, is the one that is made there, and runs there. The description is kept: tests/corpus.
# truth: a machine in a file, kernel functions | images made with -x machine=FILE, and the list of functions | the images and the list made on that machine
. "$(dirname "$0")/../lib.sh"
m=$tmp/there.machine

dtx --describe "$m"
# Those that were made for this guest before it began, elsewhere, are those that are made here.
for program in tests/e2e/images/there/*.d; do
	meant=/run/results/meant/$(basename "$program" .d)
	dtx --image "$tmp/made" -s "$program"
	if [ ! -s "$meant" ]; then
		meant=$tmp/meant
		dtx --image "$meant" -x machine="$m" -s "$program"
	fi
	cmp "$tmp/made" "$meant" || fail "the image of $program differs from $meant"
	rm "$tmp/made"
done
if [ -n "${DTX_GUEST:-}" ]; then cp "$m" /run/results/machine; fi
"$DTX" -lvn 'fbt::tcp_*:' >"$tmp/made" 2>/dev/null
"$DTX" -x machine="$m" -lvn 'fbt::tcp_*:' >"$tmp/meant" 2>/dev/null
cmp "$tmp/made" "$tmp/meant" || fail 'the list differs'

dtx --image "$tmp/runs" -x machine="$m" -qn 'fbt::vfs_read:entry /execname == "cat"/ { printf("read\n"); exit(0); }'
reads_until_ended() { cat /proc/version >/dev/null; [ -e "$tmp/ended" ]; }
until_true 60 reads_until_ended &
dtx -r "$tmp/runs"
touch "$tmp/ended"
same read "$(sed '/^$/d' "$tmp/out")" 'what the image prints'
dtx -e -x machine="$m" -n 'kprobe:vfs_read+0x1 { @ = count(); }'
grep -q 'a description has no code' "$tmp/err" || fail "a place in code: $(cat "$tmp/err")"
"$DTX" -e -x machine="$m" -n 'kprobe:0xffffffff81000000 { @ = count(); }' 2>"$tmp/err" && fail 'an address'
grep -q 'addresses of the kernel change with each boot' "$tmp/err" || fail "an address: $(cat "$tmp/err")"

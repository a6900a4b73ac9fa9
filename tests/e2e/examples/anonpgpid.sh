#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf python3 mkswap
# where: guest
# on: newest
# timeout: 60
#
# examples/anonpgpid.d: a program uses 24 MB where it may have 16 MB, and then reads all of it again. Pages in and out are as many
# as the kernel counts.
. "$(dirname "$0")/tool.bash"

swapping
tool anonpgpid
heading 'PID PROGRAM PAGES-IN PAGES-OUT'
[ -e "$tmp/after" ] || skip 'no control group for memory here'
same 6000 "$(cat "$tmp/sum")" 'not the pages'
rows '$2 == "known" { in_ = $3; out = $4 } END { exit !(in_ >= 2000 && out >= 2000) }' || fail "not a third of the pages: $(cat "$tmp/out")"
# Pages of zeros are not written to the device since Linux 6.12: the kernel counts them apart, if at all.
paste "$tmp/before" "$tmp/after" | awk '{ print $4 - $2 }' | paste -sd' ' >"$tmp/kernel"
rows 'NR > 1 { in_ += $3; out += $4 } END { print in_ + 0, out + 0 }' >"$tmp/ours"
paste "$tmp/kernel" "$tmp/ours" | awk '{ for (i = 1; i <= 2; i++) if ($(i + 2) < $i || $(i + 2) > $i + 50) bad = 1 } END { exit bad }' ||
	fail "pages in and out: $(cat "$tmp/ours"); the kernel counts $(cat "$tmp/kernel")"

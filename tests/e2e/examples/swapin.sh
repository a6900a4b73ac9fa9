#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes btf python3 mkswap
# where: guest
# on: newest
# timeout: 60
#
# truth: tools, swapin | pages read from swap | /proc/vmstat
# examples/swapin.d: a program uses 24 MB where it may have 16 MB, and then reads all of it again.
. "$(dirname "$0")/tool.bash"

swapping
tool swapin 50s
[ -e "$tmp/after" ] || skip 'no control group for memory here'
read -r kernel < <(paste "$tmp/before" "$tmp/after" | awk '$1 == "pswpin" { print $4 - $2 }')
read -r all known < <(rows '$1 ~ /^[0-9]+$/ { all += $3 } $2 == "known" { known += $3 } END { print all + 0, known + 0 }')
[ "$all" -ge "$kernel" ] && [ "$all" -le $((kernel + 50)) ] && [ "$known" -ge 2000 ] || fail "the kernel counts $kernel: $(cat "$tmp/out")"

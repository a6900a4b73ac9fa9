#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: opt.temporal
#
# temporal: records of all CPUs come in the order in which they were made. A thread that hops from CPU to CPU
# calls getpgid(1), getpgid(2), …
. "$(dirname "$0")/../lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'there is one CPU'
dtx -q -x temporal -n 'syscall::getpgid:entry /pid == $target/ { printf("%d %d\n", arg0, cpu); }' -c "$t/hopper 200"
same "$(seq 200)" "$(sed '/^$/d' "$tmp/out" | cut -d ' ' -f 1)" 'the order'
[ "$(sed '/^$/d' "$tmp/out" | cut -d ' ' -f 2 | sort -u | wc -l)" -gt 1 ] || fail 'it was on one CPU only'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# examples/sysmix.d: the system calls of a known program, those that fail, and their order.
. "$(dirname "$0")/tool.bash"

run="$t/syscalls 30" tool sysmix
same 'getppid 3000 0
getpgid 1500 0
open 750 0
write 300 0
sched_yield 90 0' "$(awk '
	$1 == "syscalls" && $2 ~ /^(getppid|getpgid|open|write|sched_yield)$/ { print $2, $3, $4 }' "$tmp/out")" "not the calls made"
[ "$(awk '$2 == "read" { print $4 }' "$tmp/out")" = 210 ] || fail "not the reads that fail"
[ "$(awk '$2 == "getppid" { print $5 }' "$tmp/out")" -gt 0 ] || fail "calls that take no time"

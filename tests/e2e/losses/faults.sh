#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Addresses that cannot be read: each clause is delivered, or told as an error and counted by probe.  The same error is told once,
# then counted.
. "$(dirname "$0")/../lib.sh"

dtx -n 'syscall::getpgid:entry /pid == $target/ { this->p = arg0 % 4 ? 8 : 0; trace(this->p ? *(char *)copyin(this->p, 1) : 0); }' \
	-c "$t/threads 1 400 syscall"
printed=$(grep -c 'getpgid:entry' "$tmp/out")
told=$(sed -nE 's/^dtx: (([0-9]+) more of: )?error in .*getpgid:entry\): invalid address.*/\2/p' "$tmp/err" | awk '{ n += $1 ? $1 : 1 } END { print n + 0 }')
same 1 "$(grep -c 'dtx: error in .*getpgid:entry): invalid address (0x8)' "$tmp/err")" 'the first one'
[ "$printed" = 100 ] || fail "$printed printed of 100"
[ "$told" = 300 ] || fail "$told errors told of 300"
grep -qE 'lost in all by syscall:.*:getpgid:entry: 300 clauses given up after errors$' "$tmp/err" || fail "$(tail -n 3 "$tmp/err")"

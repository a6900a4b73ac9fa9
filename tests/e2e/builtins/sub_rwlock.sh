#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: sub.rw_iswriter
#
# rw_iswriter(), rw_write_held() and rw_read_held() of the lock of a process's mappings, where it was just taken.
. "$(dirname "$0")/../lib.sh"

"$DTX" -l -n 'rawtp:mmap_lock:mmap_lock_acquire_returned' 2>/dev/null | grep -q returned || skip 'no tracepoint of mmap_lock'
dtx -q -o "$tmp/rows" -c 'ls /' -x evaltime=exec -n 'rawtp:mmap_lock:mmap_lock_acquire_returned /pid == $target && args[2]/ {
	this->l = &args[0]->mmap_lock;
	@[args[1] ? "write" : "read", rw_iswriter(this->l), rw_write_held(this->l), rw_read_held(this->l)] = count(); }
	END { printa("%s %d %d %d\n", @); }'
# A writer that is about to become a reader says "read" too early.
same 'read 0 0 1
write 1 1 0' "$(sed '/^$/d; /^read 1 1 0$/d' "$tmp/rows" | sort)" 'what the lock says'

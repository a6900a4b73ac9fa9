#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes fentry
# where: guest
# timeout: 60
#
# The flag idiom as the books have it, over all functions of the kernel: it ends, with a tree; what is left out is said.
. "$(dirname "$0")/../lib.sh"
"$DTX" --features | grep -q '^kprobe.session *yes' || skip 'this kernel has no kprobe.session'

dtx -F -x flowtime -n 'int done;
	fbt::vfs_read:entry /pid == $target && arg2 == 777 && !done/ { self->on = 1; }
	fbt:::entry, fbt:::return /self->on/ {}
	fbt::vfs_read:return /self->on/ { self->on = 0; done = 1; }' -c "$t/reads 777:30"
grep -qE '^dtx: fbt: [0-9]+ functions that timer interrupts run are not traced' "$tmp/err" || fail "not said: $(cat "$tmp/err")"
for call in vfs_read rw_verify_area security_file_permission; do
	for way in '->' '<-'; do grep -qE -e "$way $call *\$" "$tmp/out" || fail "no $way $call: $(cat "$tmp/out")"; done
done

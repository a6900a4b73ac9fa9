#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
#
# Many functions by trampolines, with one program (fentry.multi): which function it was, its arguments and its result.
# truth: kernel functions, many by one program | probefunc, arg2, the result, pairs of entry and return | the program's own calls
. "$(dirname "$0")/../lib.sh"

"$DTX" --features | grep -q '^fentry.multi *yes' || skip 'this kernel has no fentry.multi'
dtx -vqn 'fbt::vfs_[r-w]*:entry /pid == $target/ { self->in = arg2; self->t = timestamp; @e[probefunc, (uint64_t)arg2] = count(); }
	fbt::vfs_[r-w]*:return /pid == $target && self->in == 777/ { @r[probefunc, (int64_t)arg1] = count(); @late = sum(timestamp < self->t); self->in = 0; }
	END { printa("entry %s %d %@d\n", @e); printa("return %s %d %@d\n", @r); printa("late %@d\n", @late); }' \
	-c "dd if=/dev/zero of=/dev/null bs=777 count=5 status=none"
grep -qE 'fbt:.*:entry: [0-9]+ functions by fentry.multi' "$tmp/err" || fail "not by fentry.multi: $(cat "$tmp/err")"
grep -qE 'fbt:.*:return: [0-9]+ functions by fexit.multi' "$tmp/err" || fail "not by fexit.multi: $(cat "$tmp/err")"
for line in 'entry vfs_read 777 5' 'entry vfs_write 777 5' 'return vfs_read 777 5' 'return vfs_write 777 5' 'late 0'; do
	grep -qx "$line" "$tmp/out" || fail "no '$line': $(cat "$tmp/out")"
done
# Each function that kprobe.multi takes is there: what trampolines refuse is attached otherwise.
"$DTX" -vqn 'fbt::tcp_*:entry, fbt::tcp_*:return { @ = count(); } BEGIN { exit(0); }' >/dev/null 2>"$tmp/err" || fail "tcp functions: $(cat "$tmp/err")"
! grep -q 'not attached' "$tmp/err" || fail "left out: $(cat "$tmp/err")"
# A function that does not return has no fexit: alone, and among others.
"$DTX" -vqn 'fbt::do_exit:return, fbt::__x64_sys_exit*:return, fbt::vfs_*:return { @ = count(); } BEGIN { exit(0); }' >/dev/null 2>"$tmp/err" ||
	fail "functions that do not return: $(cat "$tmp/err")"
! grep -q 'not attached' "$tmp/err" || fail "left out: $(cat "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.copyout act.copyoutstr
#
# copyout() and copyoutstr() write to the memory of the process that fired: a program prints what it did not mean
# to. At most maxlen bytes, with the NUL where it fits; memory that cannot be written is a fault.
# where: both
# on: newest
. "$(dirname "$0")/../lib.sh"

"$DTX" --features 2>/dev/null | grep -q '^write-user  *no ' && skip 'this kernel lets no program write to user memory'

said() { sed '/^$/d' "$tmp/out"; }
dtx -qw -n 'syscall::write:entry /pid == $target/ { this->p = (char *)alloca(4); this->p[0] = 65; this->p[1] = 66;
	copyout(this->p, arg1 + 1, 2); }' -c 'echo hello'
same hABlo "$(said)" copyout
dtx -qw -n 'syscall::write:entry /pid == $target/ { this->p = (char *)alloca(4); this->p[0] = 67; write_user(arg1, this->p, 1); }' -c 'echo hello'
same Cello "$(said)" 'write_user, the target first'
dtx -qw -n 'syscall::write:entry /pid == $target/ { copyoutstr("XYZ", arg1, 2); }' -c 'echo hello'
same XYllo "$(said)" 'copyoutstr, cut'
dtx -qw -n 'syscall::write:entry /pid == $target/ { copyoutstr("XYZ", arg1, 10); }' -c 'echo hello'
same 'XYZ\0o' "$(said | sed 's/\x00/\\0/')" 'copyoutstr with its NUL'
dtx -qw -n 'syscall::write:entry /pid == $target/ { copyoutstr("XYZ", 8, 10); }' -c 'echo hello'
grep -q 'invalid address (0x8)' "$tmp/err" || fail "no fault: $(cat "$tmp/err")"
same hello "$(said)" 'a bad address'
for action in 'copyout(0, 0, 1)' 'copyoutstr("", 0, 1)'; do
	timeout 30 "$DTX" -n "BEGIN { $action; }" 2>"$tmp/err" && fail "allowed without -w: $action"
	grep -q destructive "$tmp/err" || fail "$action: $(cat "$tmp/err")"
done

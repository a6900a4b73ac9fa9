#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: both
# timeout: 120
#
# So many clauses of one probe that they are two programs: those of the first have run when those of the second do, at every kind of
# probe.
# truth: a probe whose clauses are two programs | what the first clause assigns is there in the last one, in each firing | the program's own calls
. "$(dirname "$0")/../lib.sh"

# in_order PROBE [PREDICATE]: three firings; in each the last clause sees what the first one assigned.
in_order() {
	case $1 in pid*) ;; *) matches "$1" || return ;; esac
	{
		echo "$1 /${2:-arg2 == 777}/ { self->first = 1; @n[0] = count(); }"
		for ((i = 0; i < 64; i++)); do echo "$1 { this->x = $i; }"; done
		echo "$1 /${2:-arg2 == 777}/ { @n[self->first ? 1 : 2] = count(); self->first = 0; }"
	} >"$tmp/many.d"
	asked=1
	dtx -vqs "$tmp/many.d" -x aggsortkey -c "dd if=/dev/zero of=/dev/null bs=777 count=3 status=none"
	[ "$(grep -c " by " "$tmp/err")" -gt 1 ] || fail "$1: not two programs: $(cat "$tmp/err")"
	[ "$(awk 'NF == 2 { print $1, $2 }' "$tmp/out")" = "0 3
1 3" ] || wrong+="$1: $(grep -m1 ' by ' "$tmp/err"): $(tr '\n' ' ' <"$tmp/out")"$'\n'
}

wrong= asked=
in_order 'fbt::vfs_read:entry' 'pid == $target && arg2 == 777'
in_order 'fbt::vfs_read:return' 'pid == $target && arg1 == 777'
in_order 'rawfbt::vfs_read:entry' 'pid == $target && arg2 == 777'
in_order 'rawfbt::vfs_read:return' 'pid == $target && arg1 == 777'
in_order 'fbt::vfs_[r-w]*:entry' 'pid == $target && probefunc == "vfs_read" && arg2 == 777'
in_order 'fbt::vfs_[r-w]*:return' 'pid == $target && probefunc == "vfs_read" && arg1 == 777'
in_order 'fbt::vfs_[r-w]*:entry' 'pid == $target && probefunc == "vfs_read" && arg2 == 777 && stackdepth'
in_order 'pid$target:libc.so.6:read:entry'
# In a guest, which is emulated, the kinds that only it has, and one more.
if [ -z "${DTX_GUEST:-}" ]; then
	in_order 'pid$target:libc.so.6:read:return' 'arg1 == 777'
	in_order 'syscall::read:entry' 'pid == $target && arg2 == 777'
	in_order 'tracepoint:syscalls:sys_enter_read' 'pid == $target && args.count == 777'
fi
# A last clause that two probes share, each after many of its own.
{
	for f in read write; do
		echo "pid\$target:libc.so.6:$f:entry /arg2 == 777/ { self->first = 1; @n[0] = count(); }"
		for ((i = 0; i < 64; i++)); do echo "pid\$target:libc.so.6:$f:entry { this->x = $i; }"; done
	done
	echo 'pid$target:libc.so.6:read:entry, pid$target:libc.so.6:write:entry /arg2 == 777/ { @n[self->first ? 1 : 2] = count(); self->first = 0; }'
} >"$tmp/many.d"
dtx -qs "$tmp/many.d" -x aggsortkey -c "dd if=/dev/zero of=/dev/null bs=777 count=3 status=none"
same "0 6
1 6" "$(awk 'NF == 2 { print $1, $2 }' "$tmp/out")" 'a clause of two probes'
[ -n "$asked" ] || fail "no probe"
[ -z "$wrong" ] || fail "not in the order of the program:
$wrong"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root perl
# where: native
#
# A program of system calls has the task at hand, so it takes pid from there: no helper (14) is called. The number is the same.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'the registers say there what the task says here'
code() { dtx -S bpf -en "$1" && grep -c 'call 14$' "$tmp/out"; }
[ "$(code 'syscall::getppid:entry /pid == 1/ { @ = count(); }')" = 0 ] || fail 'pid is asked for by a call'
[ "$(code 'syscall::getppid:entry /tid == 1/ { @ = count(); }')" = 1 ] || fail 'tid is not asked for by a call'
dtx -qn 'syscall::getppid:entry /pid == $target && pid != tid/ { @wrong = count(); }
	syscall::getppid:entry /pid == $target/ { @same[pid == $target, pid == curpsinfo->pr_pid] = count(); }
	syscall::getppid:return /pid == $target/ { @same[pid == $target, pid == curpsinfo->pr_pid] = count(); }
	END { printa("same %d %d %@d\n", @same); printa("wrong %@d\n", @wrong); }' \
	-c "perl -e 'getppid() for 1 .. 50'"
grep -qx 'same 1 1 100' "$tmp/out" || fail "$(cat "$tmp/out" "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc setsid
# where: both
#
# psinfo_t: how many threads the process has, whether it is a 32-bit program, its group and session.
. "$(dirname "$0")/../lib.sh"

# No thread naps before all of them are there, and none has ended before the first one naps.
dtx -qn 'syscall::nanosleep:entry, syscall::clock_nanosleep:entry /pid == $target && !seen++/ {
	printf("%d %d\n", curpsinfo->pr_nlwp, curpsinfo->pr_dmodel == PR_MODEL_LP64); }' -c "$t/nappers 5 10"
same '6 1' "$(grep . "$tmp/out")" "the threads of a process"

dtx -qn 'syscall::getpgid:entry /arg0 == 77/ { printf("%d %d %d %d\n", curpsinfo->pr_pgid == pid, curpsinfo->pr_sid == pid,
	curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid); }' -c "setsid -w $t/hopper 77"
same '1 1 1 1' "$(grep . "$tmp/out")" "the group and session of a process"

cat >"$tmp/small.c" <<-'END'
	void _start(void)
	{
		long r;
		__asm__ volatile("int $0x80" : "=a"(r) : "a"(20));
		__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
	}
END
gcc -m32 -O1 -nostdlib -static -ffreestanding -fno-pie -no-pie -o "$tmp/small" "$tmp/small.c" 2>"$tmp/err" ||
	skip "gcc makes no 32-bit programs here: $(head -n 1 "$tmp/err")"
"$tmp/small" || skip "this kernel runs no 32-bit programs"
dtx -qn 'syscall:ia32:getpid:entry { printf("%d\n", curpsinfo->pr_dmodel == PR_MODEL_ILP32); }' -c "$tmp/small"
same 1 "$(grep . "$tmp/out")" "a 32-bit program"

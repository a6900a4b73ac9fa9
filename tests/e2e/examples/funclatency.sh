#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
#
# examples/funclatency.d: a function that takes a known time, one that calls itself, and one that is left by a jump.
# truth: tools, funclatency | the times of calls that call themselves, and of one after a call that did not return | a program with known sleeps
. "$(dirname "$0")/tool.bash"

run="$t/sleeper 10 6" tool funclatency -P 'pid$target' -M a.out nap -u 1ms
grep -qx 'nap:' "$tmp/out" || fail "no function: $(cat "$tmp/out")"
rows '/\|/ { n += $NF; if ($1 < 8) low += $NF } END { exit !(n == 6 && low == 0) }' || fail "not six of 10 ms: $(cat "$tmp/out")"
run="$t/sleeper 10 6" tool funclatency -P 'pid$target' -M a.out nap -n other
same '' "$(cat "$tmp/out")" 'calls of another program'

gcc -O1 -x c -o "$tmp/jumps" - <<'END' || fail 'the program does not compile'
#include <setjmp.h>
#include <unistd.h>
static jmp_buf out;
__attribute__((noinline)) int deep(int n)
{
	usleep(10000);
	int r = n ? deep(n - 1) + 1 : 0;
	usleep(8000);
	return r + (getpid() == 0);
}
__attribute__((noinline)) int leaves(int n)
{
	usleep(30000);
	if (n == 2 && !setjmp(out))
		leaves(1);
	if (n == 1)
		longjmp(out, 1);
	usleep(30000);
	return getpid();
}
int main(void)
{
	deep(2);
	if (!setjmp(out))
		leaves(1);
	usleep(300000);
	leaves(0);
	leaves(2);
}
END

# times FUNCTION LEAST…: so many calls, from the shortest one on, took at least so many ms each, and none the 300 ms between two calls.
times() {
	run=$tmp/jumps tool funclatency -P 'pid$target' -M a.out -u 1ms "$1"
	rows '/\|/ { for (i = 0; i < $NF; i++) print $1 }' >"$tmp/times"
	awk -v least="${*:2}" 'BEGIN { n = split(least, want) } $1 < want[NR] || $1 >= 256 { exit bad = 1 } END { exit bad || NR != n }' "$tmp/times" ||
		fail "$1: $(cat "$tmp/out")"
}
times deep 16 32 32
times leaves 32 64

# A function of the kernel: there is no register of the program to tell its calls apart.
matches 'fbt::vfs_read:entry' || exit 0
own dd known
load <<<'./known if=/dev/zero of=/dev/null bs=1 count=50 status=none'
tool funclatency vfs_read -n known
grep -qx 'vfs_read:' "$tmp/out" || fail "no function of the kernel: $(cat "$tmp/out")"
rows '/\|/ { n += $NF } END { exit n < 50 }' || fail "not the 50 reads: $(cat "$tmp/out")"

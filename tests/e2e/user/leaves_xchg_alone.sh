#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# truth: functions that begin with xchg %rax,%r8, as those of Go's write barrier | the result of a program with all entries and returns probed | the same without dtx
#
# Kernels take each instruction with opcode 90 for a nop, and do nothing in its place: no probe is set on an exchange with r8.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'this processor has no such instruction'
cat >"$tmp/swap.c" <<-'C'
	#include <stdio.h>
	long swap(long, long, long, long, long fifth);
	__asm__(".globl swap\n.type swap, @function\nswap: xchg %rax, %r8\n ret\n.size swap, . - swap\n"
		".globl swap32\n.type swap32, @function\nswap32: xchg %eax, %r8d\n ret\n.size swap32, . - swap32\n");
	int swap32(int, int, int, int, int fifth);
	int main(void) { printf("%ld %d\n", swap(1, 2, 3, 4, 42), swap32(1, 2, 3, 4, 43)); return 0; }
C
gcc -O1 -o "$tmp/swap" "$tmp/swap.c"
dtx -qn "pid\$target:a.out::entry,pid\$target:a.out::return { n++; }" -c "$tmp/swap"
same "42 43" "$(cat "$tmp/out")" "what the program computes"
"$DTX" -qn "uprobe:$tmp/swap:swap { @ = count(); }" 2>"$tmp/err" && fail 'a probe is set on an exchange with r8'
grep -q 'cannot set probes on the instruction' "$tmp/err" || fail "$(cat "$tmp/err")"

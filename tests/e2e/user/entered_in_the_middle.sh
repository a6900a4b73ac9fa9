#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# truth: functions into whose middle another one jumps (mempcpy and memmove of glibc) | entries are counted, returns refused or the kernel's | the program's own calls
#
# Code of assembly that ends in another function's: what returns there may be a call of either, so those returns are not counted.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.S" <<'END'
	.text
	.macro function name
	.globl \name
	.type \name, %function
\name:
	.endm
#ifdef __x86_64__
function other
	lea 1(%rdi), %rax
	jmp middle
	.size other, . - other
function shared
	mov %rdi, %rax
middle:
	add %rax, %rax
	ret
	.size shared, . - shared
#else
function other
	add x0, x0, 1
	b middle
	.size other, . - other
function shared
	mov x1, x0
middle:
	add x0, x0, x0
	ret
	.size shared, . - shared
#endif
	.section .note.GNU-stack, "", %progbits
END
cat >"$tmp/main.c" <<'END'
#include <stdio.h>
long shared(long), other(long);
__attribute__((noipa)) long plain(long x) { return x + 1; }
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 5; i++)
		sum += i < 3 ? shared(i) + other(i) + plain(i) : other(i);
	printf("%ld\n", sum);
}
END
gcc -O1 -o "$tmp/prog" "$tmp/main.c" "$tmp/prog.S" || fail 'cannot compile'
harm=$("$tmp/prog")
why='another function jumps into the middle of it, and what returns there may be either'

dtx -qn 'pid$target:prog:shared:entry, pid$target:prog:other:entry, pid$target:prog:plain:return { @[probefunc] = count(); }' -c "$tmp/prog"
same "$harm" "$(head -n 1 "$tmp/out")" 'what the program prints'
same '3 5 3' "$(value shared) $(value other) $(value plain)" 'entries, and a return of its own'

refused "$why (other)" -qn 'pid$target:prog:shared:return { @ = count(); }' -c "$tmp/prog"
dtx -qn 'pid$target:prog::return /probefunc == "shared" || probefunc == "plain" || probefunc == "other"/ { @[probefunc] = count(); }' -c "$tmp/prog"
grep -q "shared:return.*: $why" "$tmp/err" || fail "nothing is said of shared: $(cat "$tmp/err")"
same '0 5 3' "$(value shared) $(value other) $(value plain)" 'returns of all functions'
dtx -x ureturn=kernel -qn 'pid$target:prog:shared:return { @["shared"] = count(); }' -c "$tmp/prog"
same 3 "$(value shared)" "the kernel's return probe"

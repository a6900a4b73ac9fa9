#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Linux 6.18 makes a call of a probed nop of five bytes, which writes below the stack pointer. A function that keeps something there
# computes what it always does: the place is refused, or the kernel is an older one and it counts. Where nothing is there, it counts.
# needs: uprobes gcc
# truth: a probe on a nop of five bytes in a function that uses the red zone | the results of the function | the program itself
# attack: all instructions of a function that keeps values below its stack pointer are probed | it computes the same
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "the code here is written for x86-64"

cat >"$tmp/code.s" <<'C'
	.macro site name:req
990:	.byte 0x0f,0x1f,0x44,0x00,0x00
	.pushsection .note.stapsdt,"","note"
	.balign 4
	.4byte 2f-1f, 4f-3f, 3
1:	.asciz "stapsdt"
2:	.balign 4
3:	.8byte 990b, _.stapsdt.base, 0
	.asciz "nops"
	.asciz "\name"
	.asciz "8@%rdi"
4:	.balign 4
	.popsection
	.endm
	.section .stapsdt.base,"aG",@progbits,.stapsdt.base,comdat
	.weak _.stapsdt.base
	.hidden _.stapsdt.base
_.stapsdt.base: .space 1
	.text
	.globl leaf, with_call, first
	.type leaf,@function
leaf:	mov %rdi,-8(%rsp)
	mov %rdi,-16(%rsp)
	site leaf
	mov -8(%rsp),%rax
	sub -16(%rsp),%rax
	ret
	.size leaf,.-leaf
	.type with_call,@function
with_call:
	sub $24,%rsp
	mov %rdi,(%rsp)
	site call
	call leaf
	add (%rsp),%rax
	add $24,%rsp
	ret
	.size with_call,.-with_call
	.type first,@function
first:	.byte 0x0f,0x1f,0x44,0x00,0x00
	mov %rdi,-8(%rsp)
	mov -8(%rsp),%rax
	ret
	.size first,.-first
	.section .note.GNU-stack,"",@progbits
C
cat >"$tmp/main.c" <<'C'
#include <stdio.h>
long leaf(long), with_call(long), first(long);
int main(void)
{
	long bad = 0;

	for (long i = 1; i <= 300; i++)
		bad += (leaf(i) != 0) + (with_call(i) != i) + (first(i) != i);
	printf("bad %ld\n", bad);
	return 0;
}
C
gcc -o "$tmp/a" "$tmp/main.c" "$tmp/code.s" || fail "gcc"

# counted WHAT N: of the probe; or it is refused because of the call.
counted() { grep -qx "$1 $2" "$tmp/out" || grep -q ":$1: this kernel replaces the nop of five bytes" "$tmp/err" || fail "$1: $(cat "$tmp/out" "$tmp/err")"; }
dtx -qn 'pid$target:a:leaf: { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c "$tmp/a"
grep -qx 'bad 0' "$tmp/out" || fail "all instructions: $(cat "$tmp/out")"
# Of all instructions it is left out, and refused when it is asked for.
grep -qx 'a 600' "$tmp/out" || {
	"$DTX" -qn 'pid$target:a:leaf:a { @ = count(); }' -c "$tmp/a" >"$tmp/none" 2>&1 && fail "the nop alone: $(cat "$tmp/none")"
	grep -q ':a: this kernel replaces the nop of five bytes' "$tmp/none" || fail "the nop alone: $(cat "$tmp/none")"
}
for n in 0 5 f 14 19 entry return; do grep -qx "$n 600" "$tmp/out" || fail "$n: $(cat "$tmp/out")"; done

dtx -qn 'nops$target:::leaf,nops$target:::call { @[probename] = count(); @s[probename] = sum(arg0); }
	pid$target:a:first:entry,pid$target:a:first:return { @["first"] = count(); }
	END { printa("%s %@d\n", @); printa("sum %s %@d\n", @s); }' -c "$tmp/a"
grep -qx 'bad 0' "$tmp/out" || fail "sites: $(cat "$tmp/out")"
counted leaf 600
for what in 'call 300' 'sum call 45150' 'first 600'; do grep -qx "$what" "$tmp/out" || fail "$what: $(cat "$tmp/out" "$tmp/err")"; done
exit 0

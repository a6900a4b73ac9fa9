#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Code without call frame information: stacks go through it by rules made from its instructions; what these do not tell is marked, never
# called whole.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/bare.s" <<'END_S'
	.include "functions.s"
function scratch                # the frame pointer has other values, as in x264
	push %rbx
	push %rbp
	push %r12
	sub $48, %rsp
	lea 64(%rsi), %rbp
	mov %rbp, 8(%rsp)
	xor %r12d, %r12d
	call leaf
	add $48, %rsp
	pop %r12
	pop %rbp
	pop %rbx
	ret
done scratch
function zero                   # … or none
	push %rbp
	sub $16, %rsp
	xor %ebp, %ebp
	call leaf
	add $16, %rsp
	pop %rbp
	ret
done zero
function aligned                # the size of its frame is not known before it runs
	push %rbp
	mov %rsp, %rbp
	push %rbx
	sub %rdi, %rsp
	and $-64, %rsp
	call leaf
	lea -8(%rbp), %rsp
	pop %rbx
	pop %rbp
	ret
done aligned
function branches               # two ways to its end, and a jump by a table
	push %rbx
	test %edi, %edi
	js 2f
	sub $32, %rsp
	and $1, %edi
	lea table(%rip), %rax
	movslq (%rax,%rdi,4), %rdi
	add %rdi, %rax
	jmp *%rax
1:	call leaf
	jmp 3f
4:	call leaf
	nop
3:	add $32, %rsp
2:	pop %rbx
	ret
	.section .rodata
table:	.long 1b - table, 4b - table
	.text
done branches
function putsback               # the return address is put back below arguments, as builtins of V8 do
	pop %rax
	push $1
	push %rdi
	push %rax
	push %rbp
	mov %rsp, %rbp
	sub $40, %rsp
	and $-16, %rsp
	call leaf
	leave
	pop %rcx
	add $16, %rsp
	push %rcx
	ret
done putsback
function below                  # … and no frame is made
	pop %rdx
	push %rdi
	push %rdx
	call leaf
	pop %rdx
	add $8, %rsp
	push %rdx
	ret
done below
function other                  # another value is put there: nothing is known
	pop kept(%rip)
	mov kept(%rip), %rdx
	pop %rax
	push %rax
	lea leaf(%rip), %rdx
	push %rdx
	call leaf
	add $8, %rsp
	push kept(%rip)
	ret
done other
function elsewhere              # another stack: nothing leads back
	mov %rsp, kept(%rip)
	lea stack+4096(%rip), %rsp
	xor %ebp, %ebp
	call leaf
	mov kept(%rip), %rsp
	ret
done elsewhere
	.bss
	.p2align 4
kept:	.zero 16
stack:	.zero 4096
	.section .note.GNU-stack,"",@progbits
END_S
cat >"$tmp/main.c" <<'END_C'
#include <pthread.h>
void scratch(long, long), zero(long), aligned(long), branches(long), putsback(long), below(long), other(long), elsewhere(long);
volatile long sum;
__attribute__((noipa)) void leaf(void) { sum++; }
__attribute__((noipa)) void outer(void (*f)(long), long n) { f(n); sum++; }
static void *thread(void *arg) { outer(elsewhere, 1); sum++; return arg; }
int main(void)
{
	pthread_t t;
	outer((void (*)(long))scratch, 1);
	outer(zero, 1);
	outer(aligned, 100);
	outer(branches, 0);
	outer(branches, 1);
	outer(putsback, 1);
	outer(below, 1);
	outer(other, 1);
	pthread_create(&t, 0, thread, 0);
	pthread_join(t, 0);
	return 0;
}
END_C
gcc -O2 -Wa,-I"${0%/*}" -o "$tmp/prog" "$tmp/main.c" "$tmp/bare.s" -pthread || fail 'cannot compile'

# One line for each stack in leaf().
stacks() {
	dtx -q "$@"
	awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); line = line " " $1 } /incomplete/ { line = line " ?" } NF == 0 && line != "" { print line; line = "" }
		END { if (line != "") print line }' "$tmp/out"
}
# truth: stacks, code without call frame information | the callers of a function in assembly | the program's source
stacks -n 'pid$target:prog:leaf:entry { ustack(); }' -c "$tmp/prog" >"$tmp/lines"
i=0
for middle in scratch zero aligned branches branches putsback below; do
	i=$((i + 1))
	sed -n "${i}p" "$tmp/lines" | grep -qE "^ leaf $middle outer main .*_start$" || fail "$middle: $(cat "$tmp/lines")"
done
# truth: stacks, another stack that nothing leads back from | the stack is marked | the program's source
sed -n 8p "$tmp/lines" | grep -qE '^ leaf other .*[?]$' || fail "another value: $(cat "$tmp/lines")"
sed -n 9p "$tmp/lines" | grep -qE '^ leaf elsewhere [?]$' || fail "another stack: $(cat "$tmp/lines")"

# A stack that the option cuts says so, one that the program cuts does not.
# truth: stacks, cut by option ustackframes | [incomplete: more frames …] | the depth that was asked for
stacks -x ustackframes=3 -n 'pid$target:prog:leaf:entry { ustack(); exit(0); }' -c "$tmp/prog" >"$tmp/lines"
same ' leaf scratch outer ?' "$(head -n 1 "$tmp/lines")" 'cut by the option'
grep -qF '[incomplete: more frames than option ustackframes or jstackframes allows]' "$tmp/out" || fail "$(cat "$tmp/out")"
stacks -n 'pid$target:prog:leaf:entry { ustack(3); exit(0); }' -c "$tmp/prog" >"$tmp/lines"
same ' leaf scratch outer' "$(head -n 1 "$tmp/lines")" 'cut by the program'

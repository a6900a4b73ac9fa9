#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
#
# Code as the compilers of OCaml and Haskell make it: arguments in registers of their own, no debugging information. arg0 is
# refused, for it would be another value. Haskell's code has a stack of its own, too, and passes control by jumps: its stacks
# are marked as incomplete, at an entry and in the middle, even if a 0 is at the top of the machine's stack.
# truth: programs, OCaml without debugging information | arguments are refused, results | registers that the program sets
# truth: programs, Haskell | arguments and results are refused, stacks are marked | registers and stack that the program sets
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = x86_64 ] || skip 'the code here is written for x86-64'

cat >"$tmp/own.s" <<'END'
	.text
	.globl	camlMod__code_begin, camlMod__code_end, camlMod__mark_12, camlMod__my__fn_13
	.type	camlMod__code_begin, @function
camlMod__code_begin:
	nop
	.type	camlMod__mark_12, @function
camlMod__mark_12:
	imulq	$10, %rbx
	addq	%rbx, %rax
	addq	%rdi, %rax
	ret
	.size	camlMod__mark_12, . - camlMod__mark_12
	.type	camlMod__my__fn_13, @function
camlMod__my__fn_13:
	movq	%rax, %rdi
	call	camlMod__mark_12
	ret
	.size	camlMod__my__fn_13, . - camlMod__my__fn_13
	.type	camlMod__code_end, @function
camlMod__code_end:
	nop
	.type	stg_upd_frame_info, @function
stg_upd_frame_info:
	jmp	*(%rbp)
	.size	stg_upd_frame_info, . - stg_upd_frame_info
	.globl	Mod_first_info, Mod_second_info
	.balign	16
	.type	Mod_first_info, @function
Mod_first_info:
	imulq	$3, %rsi, %rbx
	addq	$-16, %rbp
	leaq	Mod_second_info(%rip), %rax
	movq	%rax, (%rbp)
	jmp	*(%rbp)
	.size	Mod_first_info, . - Mod_first_info
	.balign	16
	.type	Mod_second_info, @function
Mod_second_info:
	movq	%rbx, %r14
	addq	$16, %rbp
	jmp	*(%rbp)
	.size	Mod_second_info, . - Mod_second_info

	.globl	run
	.type	run, @function
run:
	pushq	%rbp
	pushq	%rbx
	pushq	%r14
	movq	$1, %rax
	movq	$2, %rbx
	movq	$7, %rdi
	call	camlMod__my__fn_13
	subq	$4096, %rsp
	movq	$0, (%rsp)
	leaq	2048(%rsp), %rbp
	leaq	back(%rip), %rax
	movq	%rax, (%rbp)
	movq	$5, %rsi
	movq	$99, %rdi
	jmp	Mod_first_info
back:
	movq	%r14, %rax
	addq	$4096, %rsp
	popq	%r14
	popq	%rbx
	popq	%rbp
	ret
	.size	run, . - run
	.section .note.GNU-stack, "", @progbits
END
echo 'int printf(const char *, ...); long run(void); int main(void) { return !printf("%ld\n", run()); }' >"$tmp/main.c"
gcc -o "$tmp/own" "$tmp/main.c" "$tmp/own.s" || fail "it does not compile"

refused 'OCaml, which passes arguments in registers of its own' -qn "uprobe:$tmp/own:camlMod__mark_12:entry { trace(arg0); }" -c "$tmp/own"
refused 'OCaml, which passes arguments in registers of its own' -qn 'pid$target:own:camlMod__my__fn_13:entry { trace(arg2); }' -c "$tmp/own"
refused 'Haskell, which passes arguments in registers of its own' -qn 'pid$target:own:Mod_first_info:entry { trace(arg0); }' -c "$tmp/own"
refused 'Haskell, which returns values in registers of its own' -qn 'pid$target:own:Mod_second_info:return { trace(arg1); }' -c "$tmp/own"
"$DTX" -qn 'pid$target:own:camlMod__*:return { printf("%s %d;", probefunc, arg1); }' -o "$tmp/out" -c "$tmp/own" >"$tmp/its" || fail "results of OCaml"
grep -q 'camlMod__mark_12 22;camlMod__my__fn_13 22;' "$tmp/out" || fail "results of OCaml: $(cat "$tmp/out")"

for probes in 'pid$target:own:Mod_*_info:entry' 'pid$target:own:Mod_first_info:4, pid$target:own:Mod_second_info:3'; do
	"$DTX" -qn "$probes"' { @[ustack()] = count(); }' -c "$tmp/own" >"$tmp/out" || fail "$probes"
	[ "$(grep -c 'own`Mod_' "$tmp/out")" = 2 ] || fail "$probes: $(cat "$tmp/out")"
	[ "$(grep -c '\[incomplete' "$tmp/out")" = 2 ] || fail "stacks of $probes are called whole: $(cat "$tmp/out")"
done

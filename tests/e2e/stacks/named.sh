#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Frames have the name of the code that they are in: a return address that no call has pushed is a place of its own, and a symbol without
# a size does not name what follows its code.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/bare.s" <<'END_S'
	.text
	.p2align 4
	.globl before
	.type before, @function
before: nop
	ret
	.size before, . - before
	.globl last                 # returned to, and never called: a frame ends where it begins
	.type last, @function
last:	.cfi_startproc
	.cfi_undefined rip
	mov $60, %eax
	xor %edi, %edi
	syscall
	hlt
	.cfi_endproc
	.size last, . - last
	.p2align 4
	.globl sized
	.type sized, @function      # no .size
sized:	xor %eax, %eax
	ret
	.p2align 4
hidden: sub $8, %rsp                # and no symbol, once stripped of it
	call leaf
	add $8, %rsp
	ret
	.p2align 4
	.globl through
	.type through, @function
through: .cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	call hidden
	add $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size through, . - through
	.globl jump
	.type jump, @function
jump:	.cfi_startproc
	lea last(%rip), %rax
	push %rax
	jmp leaf
	.cfi_endproc
	.size jump, . - jump
	.section .note.GNU-stack,"",@progbits
END_S
printf 'volatile long sum;\n__attribute__((noipa)) void leaf(void) { sum++; }\nvoid through(void), jump(void);\nint main(void) { through(); sum++; jump(); }\n' >"$tmp/main.c"
gcc -O2 -o "$tmp/prog" "$tmp/main.c" "$tmp/bare.s" && objcopy -N hidden "$tmp/prog" || fail 'cannot compile'

dtx -qn 'pid$target:prog:leaf:entry { ustack(); }' -c "$tmp/prog"
# truth: stacks, a symbol without a size | it does not name the code after it | the program's source
sed -n '/prog`through/q; p' "$tmp/out" | grep -qE '^ +prog[+]0x[0-9a-f]+$' || fail "code without a name has one: $(cat "$tmp/out")"
if grep -q '`sized' "$tmp/out"; then fail "a symbol names what follows it: $(cat "$tmp/out")"; fi
# truth: stacks, a return address that no call has pushed | the function that begins there | the program's source
grep -A1 '`leaf' "$tmp/out" | tail -n 1 | grep -qE '`last$' || fail "the code after a call that never was: $(cat "$tmp/out")"
if grep -q '`before' "$tmp/out"; then fail "a false frame: $(cat "$tmp/out")"; fi

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Call frame information that compilers write wrong, where a function ends. The stack at each of its instructions is whole, or marked.
. "$(dirname "$0")/../lib.sh"

[ -n "$THUNKS" ] || skip 'the code is of another machine'
cat >"$tmp/ends.s" <<'END_S'
CFI = 1
	.include "functions.s"
function realigned              # gcc's, of a function that aligns its stack: its rbp is told as kept even where it is back
	lea 8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and $-16, %rsp
	push -8(%r10)
	push %rbp
	mov %rsp, %rbp
	.cfi_escape 0x10, 6, 2, 0x76, 0
	push %r10
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6
	push %rbx
	.cfi_escape 0x10, 3, 2, 0x76, 0x70
	mov $1, %ebx
	sub $16, %rsp
	call popped
	add $16, %rsp
	pop %rbx
	pop %r10
	.cfi_def_cfa %r10, 0
	pop %rbp
	lea -8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	nop
	ret
done realigned
function popped                 # clang's against load value injection: nothing is told of the pop
	lea (%rdi,%rdi), %rax
	pop %rcx
	lfence
	jmp *%rcx
done popped
function jumped                 # gcc's return that the processor does not guess: nothing is told of the lea
	call 2f
1:	pause
	jmp 1b
2:	.cfi_adjust_cfa_offset 8
	lea 8(%rsp), %rsp
	ret
done jumped
function zeros                  # what is above their return address is 0
	push $0
	.cfi_adjust_cfa_offset 8
	call popped
	call jumped
	pop %rcx
	.cfi_adjust_cfa_offset -8
	ret
done zeros
function framed                 # its caller is found by rbp alone
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub $32, %rsp
	call realigned
	leave
	.cfi_def_cfa %rsp, 8
	ret
done framed
	.section .note.GNU-stack,"",@progbits
END_S
cat >"$tmp/main.c" <<'END_C'
void framed(void), zeros(void);
volatile long sum;
__attribute__((noipa)) void outer(void (*f)(void)) { f(); sum++; }
int main(void) { outer(framed); outer(zeros); return 0; }
END_C
gcc -O2 -fno-omit-frame-pointer -Wa,-I"${0%/*}" -o "$tmp/prog" "$tmp/main.c" "$tmp/ends.s" || fail 'cannot compile'

# right FUNCTION CALLERS HOW-MANY [MARKED]: so many stacks are different, those that are not marked are whole, and these are marked.
right() {
	dtx -q -n 'pid$target:a.out:'"$1"': { ustack(); }' -c "$tmp/prog"
	awk '/`/ { sub(/.*`/, ""); if (line != "") sub(/[+].*/, ""); line = line " " $1 } /incomplete/ { line = line " ?" } NF == 0 && line != "" { print line; line = "" }
		END { if (line != "") print line }' "$tmp/out" | sort -u >"$tmp/lines"
	same "$3" "$(wc -l <"$tmp/lines")" "stacks of $1: $(cat "$tmp/lines")"
	same "${4:-}" "$(awk '/[?]$/ { print $1 }' "$tmp/lines" | paste -sd' ')" "marked in $1: $(cat "$tmp/lines")"
	if grep -v '[?]$' "$tmp/lines" | grep -vE "^ $1(\+0x[0-9a-f]+)? ($2) outer main .*_start$"; then fail "false in $1"; fi
}
# truth: stacks, functions whose table is wrong where they return (-mstackrealign, -mlvi-hardening, -mfunction-return=thunk-inline) | the callers at each instruction, or a mark | the program's source
right realigned framed 17
right popped 'realigned framed|zeros' 6 'popped+0x5 popped+0x8'
right jumped zeros 3 jumped+0xe

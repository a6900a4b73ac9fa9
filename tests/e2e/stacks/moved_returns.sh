#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Code as V8's builtins, without call frame information: it moves the return address to another place of the stack, takes its arguments away
# and keeps no register. The stack at each of its instructions is whole, or marked.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/moves.s" <<'END_S'
	.include "functions.s"
function Builtins_JSEntry
	push %rbp
	mov %rsp, %rbp
	push %rbx
	push %r12
	call *%rdi
	lea -16(%rbp), %rsp
	pop %r12
	pop %rbx
	pop %rbp
	ret
done Builtins_JSEntry
function takes                  # it takes two arguments from the stack
	push %rbp
	mov %rsp, %rbp
	sub $16, %rsp
	mov $2, %ecx
	mov %rbp, %rsp
	pop %rbp
	pop %r10
	lea (%rsp,%rcx,8), %rsp
	push %r10
	ret
done takes
function gives
	push %rbp
	mov %rsp, %rbp
	push $1
	push $2
	call takes
	nop
	pop %rbp
	ret
done gives
function copies                 # an argument is put in the place of the return address
	mov $1, %ebx
	push 0(%rsp)
	push $3
	push 8(%rsp)
	mov %rbx, 8(%rsp)
	mov %rbx, 16(%rsp)
	mov %rbx, 24(%rsp)
	mov $3, %ecx
	jmp finish
done copies
function shifts                 # there is room for as many arguments as a register says
	mov $2, %ebx
	mov %rbx, %rcx
	test %ebx, %ebx
	jle 1f
	mov %rsp, %r8
	lea 0(,%rbx,8), %r10
	sub %r10, %rsp
	mov (%r8), %r10
	mov %r10, (%rsp)
	jmp 1f
1:	lea finish(%rip), %rdx
	nop
	jmp *%rdx
done shifts
function finish
	pop %r10
	lea (%rsp,%rcx,8), %rsp
	push %r10
	ret
done finish
	.skip 20000, 0x90
	.section .note.GNU-stack,"",@progbits
END_S
cat >"$tmp/main.c" <<'END_C'
void gives(void), copies(void), shifts(void), Builtins_JSEntry(void (*)(void));
volatile long sum;
__attribute__((noipa)) void outer(void (*f)(void)) { Builtins_JSEntry(f); sum++; }
int main(void) { outer(gives); outer(copies); outer(shifts); return 0; }
END_C
gcc -O2 -Wa,-I"${0%/*}" -o "$tmp/prog" "$tmp/main.c" "$tmp/moves.s" || fail 'cannot compile'

# The stacks at all instructions of the function, one in a line, as "FUNCTION+OFFSET FUNCTION …".
at_each() {
	dtx -q -n 'pid$target:'"${3:-prog}:$1"': { ustack(); }' -c "$2"
	awk '/`/ { sub(/.*`/, ""); if (line != "") sub(/[+].*/, ""); line = line " " $1 } /incomplete/ { line = line " ?" } NF == 0 && line != "" { print line; line = "" }
		END { if (line != "") print line }' "$tmp/out" | sort -u
}
# whole FUNCTION CALLERS HOW-MANY [MARKED]: so many of its instructions are reached, the stacks are whole but at those that are marked.
whole() {
	at_each "$1" "$tmp/prog" >"$tmp/lines"
	same "$3" "$(wc -l <"$tmp/lines")" "instructions of $1: $(cat "$tmp/lines")"
	same "${4:-}" "$(grep -o "^ $1[^ ]* .*[?]\$" "$tmp/lines" | awk '{ printf "%s ", $1 }')" "marked in $1: $(cat "$tmp/lines")"
	if grep -v '[?]$' "$tmp/lines" | grep -vE "^ $1(\+0x[0-9a-f]+)? $2Builtins_JSEntry outer main .*_start$"; then fail "false in $1"; fi
}
# truth: stacks, code that moves its return address, as V8's builtins | the callers at each instruction, or a mark | the program's source
whole takes "gives " 10
whole copies '' 9
whole shifts '' 13 'shifts+0x1a shifts+0x1d shifts+0x21 '      # the stack's size is in a register
whole finish '' 4

# Where nothing says that the code is V8's, the same is marked, or right.
objcopy --redefine-sym Builtins_JSEntry=JSEntry "$tmp/prog" "$tmp/unknown"
for f in takes copies shifts finish; do
	at_each "$f" "$tmp/unknown" unknown >"$tmp/lines"
	[ -s "$tmp/lines" ] || fail "nothing of $f"
	if grep -v '[?]$' "$tmp/lines" | grep -vE ' JSEntry outer main .*_start$'; then fail "false in $f"; fi
done

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The probe of an entry is at the first instruction that the kernel does itself, if a call comes by there once and nothing has changed
# that clauses read. The program says where breakpoints are in its code, and how often it calls. x86-64: other machines have other
# instructions.
# needs: uprobes gcc
# truth: entries probed behind endbr64 | calls, arguments, uregs[R_RIP], ustack() | the program's own calls and addresses
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = x86_64 ] || skip "the code here is written for x86-64"

cat >"$tmp/code.s" <<'C'
	.macro begin name:req
	.globl \name
	.type \name,@function
	.p2align 4
\name:
	.endm
	.macro end name:req
	.size \name,.-\name
	.endm

	begin plain
	endbr64
	push %rbp
	mov %rsp,%rbp
	lea (%rdi,%rdi),%eax
	pop %rbp
	ret
	end plain
	begin tests
	test %edi,%edi
	je 1f
	xor %eax,%eax
1:	ret
	end tests
	begin number
	mov $7,%eax
	push %rbx
	pop %rbx
	ret
	end number
	begin again
	endbr64
1:	push %rbx
	dec %edi
	pop %rbx
	jnz 1b
	ret
	end again
	begin table
	endbr64
1:	push %rbx
	pop %rbx
	dec %edi
	js 2f
	lea 1b(%rip),%rax
	notrack jmp *%rax
2:	ret
	end table
	begin near
	endbr64
in_near:
	push %rbx
	pop %rbx
	ret
	end near
	begin from_near
	jmp in_near
	end from_near
	begin far
	endbr64
in_far:	push %rbx
	pop %rbx
	ret
	end far
	.skip 300,0x90
	begin from_far
	jmp in_far
	end from_far
	begin outer
	endbr64
	.globl inner
	.type inner,@function
inner:	push %rbx
	pop %rbx
	ret
	end inner
	end outer
	begin taken
	endbr64
in_taken:
	push %rbx
	pop %rbx
	ret
	end taken
	begin by_lea
	lea in_taken(%rip),%rax
	jmp *%rax
	end by_lea
	begin pointed
	endbr64
in_pointed:
	push %rbx
	pop %rbx
	ret
	end pointed
	begin by_pointer
	jmp *pointer(%rip)
	end by_pointer
	.section .data.rel,"aw",@progbits
	.p2align 3
pointer: .quad in_pointed
	.text
	begin leaves
	endbr64
	jmp plain
	end leaves
	begin reads
	mov (%rdi),%eax
	push %rbx
	pop %rbx
	ret
	end reads
	begin argument
	mov %rdi,%rdx
	push %rbx
	pop %rbx
	ret
	end argument
	.section .note.GNU-stack,"",@progbits
C
cat >"$tmp/main.c" <<'C'
#include <stdio.h>
#include <string.h>
#define ALL F(plain) F(tests) F(number) F(again) F(table) F(near) F(from_near) F(far) F(from_far) F(taken) F(by_lea) F(pointed) F(by_pointer) F(outer) F(inner) F(leaves) F(argument)
#define F(name) int name(long);
ALL F(reads)
#undef F
#define F(name) { #name, name },
static struct { const char *name; int (*f)(long); } all[] = { ALL { "reads", reads } };
/* Bytes behind the entry where a breakpoint is: the code as it was has none. */
static void places(void)
{
	for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (int n = 0; n < 8; n++)
			if (((unsigned char *)all[i].f)[n] == 0xcc)
				printf("at %s %d\n", all[i].name, n);
}
int main(int argc, char **argv)
{
	long there = 1;

	for (long i = 0; i < 3; i++) {
		plain(i), tests(i), number(i), again(5), table(5), near(0), from_near(0), far(0), from_far(0), taken(0), by_lea(0), pointed(0), by_pointer(0), outer(0), inner(0);
		leaves(i), reads((long)&there), argument(i);
	}
	places();
	printf("plain %p\n", (void *)plain);
	return 0;
}
C
gcc -g -o "$tmp/a" "$tmp/main.c" "$tmp/code.s" || fail "gcc"
shopt -s extglob
functions='plain tests number again table near far taken pointed outer inner leaves argument reads'
descs=$(for f in $functions; do printf 'pid$target:a:%s:entry,' "$f"; done)

# dtx -q, its output sorted; the places that the program tells are in $at
run() { dtx -qn "$1" -c "$tmp/a"; at=$(sed -n 's/^at //p' "$tmp/out" | sort | tr '\n' ','); }
run "${descs%,} { @[probefunc] = count(); } END { printa(\"calls %s %@d\\n\", @); }"
same "again 3,argument 3,far 3,inner 6,leaves 3,near 3,number 3,outer 3,plain 6,pointed 3,reads 3,table 3,taken 3,tests 3," \
	"$(sed -n 's/^calls //p' "$tmp/out" | sort | tr '\n' ',')" "calls"
same "again 0,argument 0,far 0,inner 0,leaves 0,near 0,number 5,outer 0,outer 4,plain 4,pointed 0,reads 0,table 0,taken 0,tests 2," "$at" "where probes are"

# What is read there is as at the entry.
run 'pid$target:a:plain:entry { @s = sum(arg0); @[probefunc] = count(); } END { printa("sum %@d\n", @s); printa("%s %@d\n", @); }'
same "plain 6|sum 6" "$(grep -E '^(plain|sum) [0-9]+$' "$tmp/out" | sort | paste -sd'|')" "arguments"
same "plain 4," "$at" "moved for arguments"
for what in 'uregs[R_RIP]' 'ustackdepth, uregs[R_RIP]'; do
	run "pid\$target:a:plain:entry { @[$what] = count(); } END { printa(@); }"
	grep -q "$(($(sed -n 's/^plain //p' "$tmp/out"))) " "$tmp/out" || fail "$what: $(cat "$tmp/out")"
	same "plain 0," "$at" "$what is read"
done
for how in auto fp off; do
	run "#pragma D option ustackunwind=$how
		pid\$target:a:plain:entry,pid\$target:a:number:entry,pid\$target:a:again:entry { @[ustack(2), ucaller == 0] = count(); }"
	same "a\`again|a\`number|a\`plain" "$(grep -oE '^ +a`(plain|number|again)$' "$tmp/out" | sort -u | tr -d ' ' | paste -sd'|')" "ustack, $how"
	[ $how != auto ] || grep -qE '^ +a`main\+0x' "$tmp/out" || fail "caller: $(cat "$tmp/out")"
	[ $how = auto ] && want='again 0,number 5,plain 4,' || want='again 0,number 0,plain 0,'
	same "$want" "$at" "moved for ustack, $how"
done
run 'pid$target:a:plain:entry { trace(*(int *)0); } dtrace:::ERROR { @[uregs[R_RIP]] = count(); } END { printa(@); }'
grep -q "$(($(sed -n 's/^plain //p' "$tmp/out"))) " "$tmp/out" || fail "ERROR: $(cat "$tmp/out")"

# What counts from the program counter, by a name of the program or in a translator.
cat >"$tmp/named.c" <<'C'
#include <stdio.h>
int total = 4711;
char word[8] = "hello";
__attribute__((noipa)) int named(int a) { if (a > 3) puts("more"); __asm__ volatile("" ::: "memory"); return a + total; }
int main(void) { named(2); printf("named %p\n", (void *)named); return 0; }
C
gcc -O2 -g -fcf-protection=full -o "$tmp/named" "$tmp/named.c" || fail "gcc"
dtx -qn 'pid$target:a.out:named:entry { printf("got %d %d %s\n", arg0, args.total, args.word); }' -c "$tmp/named"
same "got 2 4711 hello" "$(grep ^got "$tmp/out")" "variables of the program"
dtx -qn 'struct place { uint64_t pc; }; translator struct place < int n > { pc = uregs[R_RIP]; };
	pid$target:a.out:named:entry { printf("got 0x%x\n", (xlate <struct place> (1)).pc); }' -c "$tmp/named"
same "$(sed -n 's/^named /got /p' "$tmp/out")" "$(grep ^got "$tmp/out")" "uregs[R_RIP] in a translator"

# A program that writes over the nops at its entries, which are there for that: each call is seen.
cat >"$tmp/patched.c" <<'C'
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
__attribute__((noipa)) int patched(int a) { return a + 1; }
int main(void)
{
	unsigned char *code = (unsigned char *)patched;

	mprotect((void *)((uintptr_t)code & -4096ul), 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	patched(1);
	memcpy(code + 4, (unsigned char[]){ 0x66, 0x90 }, 2);
	return patched(-1);
}
C
gcc -O2 -fcf-protection=full -fpatchable-function-entry=2 -o "$tmp/patched" "$tmp/patched.c" || fail "gcc"
dtx -qn 'pid$target:a.out:patched:entry { @ = count(); } END { printa("calls %@d\n", @); }' -c "$tmp/patched"
same "calls 2" "$(grep ^calls "$tmp/out")" "an entry that the program writes over"

# Places that a description names stay where they are, and clauses on both run in order.
run 'pid$target:a:plain:4 { self->n = 1; } pid$target:a:plain:entry { @[self->n] = count(); self->n = 0; }'
same "plain 0,plain 4," "$at" "a description names the place"
run 'pid$target:a:plain:0 { @ = count(); }'
same "plain 0," "$at" "offset 0"

# Another tool is at the entry.
grep -q . /sys/kernel/tracing/uprobe_events 2>/dev/null || off=$((0x$(nm "$tmp/a" | awk '$3 == "plain" { print $1 }')))
if [ -n "${off-}" ] && echo "p:dtxtest$$/plain $tmp/a:$off" 2>/dev/null >>/sys/kernel/tracing/uprobe_events; then
	run 'pid$target:a:plain:entry { @ = count(); }'
	echo "-:dtxtest$$/plain" >>/sys/kernel/tracing/uprobe_events
	same "plain 0," "$at" "an event of tracefs is there"
fi

# An image has the place.
dtx --image "$tmp/image" -qn "uprobe:$tmp/a:plain:entry { @ = count(); } BEGIN { printf(\"ready\\n\"); }" || fail "--image"
timeout 20 "$DTX" -qr "$tmp/image" >"$tmp/out" 2>&1 & run=$!
begun
same "plain 4" "$("$tmp/a" | sed -n 's/^at //p')" "image"
kill $run
wait $run
grep -qE "^ +6$" "$tmp/out" || fail "image: $(cat "$tmp/out")"
exit 0

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# where: both
# truth: arm64: exclusive accesses, loads of what lies beside the code | the result of a program with all instructions probed | the same without dtx
#
# Places of arm64 where the kernel takes a probe and the program then does something else: between an exclusive load and its store,
# which then fails again and again; on a load of a vector register from beside the code, which reads what lies beside the kernel's copy of
# it; and on data among the code. None is probed by a pattern; a line of the source there is told.
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = aarch64 ] || skip 'needs an arm64 processor'

cat >"$tmp/turns.S" <<-'END'
	.macro function name
	.balign 8
	.globl \name
	.type \name, %function
	\name:
	.endm
		.text
	function turns
		mov w3, #0
	1:	ldxr w1, [x0]
		cmp w1, #77
		b.eq 3f
		add w1, w1, #1
		stxr w2, w1, [x0]
		add w3, w3, #1
		cmp w3, #100
		b.hi 2f
		cbnz w2, 1b
	2:	mov w0, w3
		ret
	3:	clrex
		mov w0, #0
		ret
		.size turns, . - turns
	function beside
		mov x1, #1
		ldr d0, 1f
		fmov x0, d0
		ldr x1, 1f
		add x0, x0, x1
		ret
		.balign 8
	1:	.quad 0x1122334400000008
		.size beside, . - beside
	function first
		ldr d0, 1f
		fmov x0, d0
		ret
		.balign 8
	1:	.quad 0x99
		.size first, . - first
		.section .note.GNU-stack, "", %progbits
END
cat >"$tmp/main.c" <<-'END'
	#include <stdio.h>
	int turns(int *);
	long beside(void), first(void);
	int main(void) { int n = 1, full = 77; printf("%d %d %d %lx %lx\n", turns(&n), n, turns(&full), beside(), first()); return 0; }
END
gcc -g -O1 -o "$tmp/turns" "$tmp/main.c" "$tmp/turns.S"
alone=$("$tmp/turns")
same '1 2 0 2244668800000010 99' "$alone" 'the program alone'

# What is not unfit is there: before the load, on the way to no store, after the store; the return beside data.
dtx -qn 'pid$target:a.out:turns:, pid$target:a.out:beside: { @[probefunc, probename] = count(); }
	pid$target:a.out::entry, pid$target:a.out::return { }' -c "$tmp/turns"
same "$alone" "$(head -n 1 "$tmp/out")" 'with all instructions probed'
same 'beside 0 1
beside 10 1
beside 14 1
beside 8 1
beside entry 1
beside return 1
turns 0 2
turns 18 1
turns 1c 1
turns 20 1
turns 24 1
turns 28 1
turns 2c 1
turns 30 1
turns 34 1
turns 38 1
turns entry 2
turns return 2' "$(awk 'NF == 3 { print $1, $2, $3 }' "$tmp/out" | LC_ALL=C sort)" 'instructions'

# refused PROBE: it matches nothing, and the reason is said.
refused() {
	"$DTX" -qn "$1 { }" -c "$tmp/turns" >"$tmp/out" 2>"$tmp/err" && fail "$1 is probed"
	grep -q "$2" "$tmp/err" || fail "$1: $(cat "$tmp/err")"
}
refused 'pid$target:a.out:turns:8' 'between an exclusive load and its store'
refused 'pid$target:a.out:beside:4' 'must run in its own place'
refused "uprobe:$tmp/turns:beside+0x18" 'is data'
refused "uprobe:$tmp/turns:first" 'must run in its own place'

# Lines are not looked at before they are attached.
line=$(grep -n 'add w1, w1' "$tmp/turns.S" | cut -d: -f1)
dtx -qn "uprobe:$tmp/turns:turns.S:$line, uprobe:$tmp/turns:turns.S:$((line - 4)) { @ = count(); }" -c "$tmp/turns"
same "$alone" "$(head -n 1 "$tmp/out")" 'with a line probed'
grep -q "not attached: .*turns.S.$line: it is between an exclusive load and its store" "$tmp/err" || fail "$(cat "$tmp/err")"
same 2 "$(tail -n 1 "$tmp/out" | tr -d ' ')" 'the line in front of it'

# Accesses that order others are no exclusive ones: functions that begin with them have all probes.
cat >"$tmp/orders.c" <<'END'
#include <stdio.h>
#define FAR __attribute__((noipa))
FAR int get(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
FAR void put(int *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
int main(void) { int n = 5; for (int i = 0; i < 7; i++) put(&n, get(&n) + i); printf("%d\n", n); return 0; }
END
gcc -O2 -o "$tmp/orders" "$tmp/orders.c"
for f in get put; do objdump -d --disassemble=$f "$tmp/orders" | grep -A1 "<$f>:" | grep -qE 'ldar|stlr' || fail "$f() begins in another way"; done
dtx -qn 'pid$target:orders:get:entry, pid$target:orders:put:entry { @[probefunc] = count(); } pid$target:orders:get:return { @r = sum(arg1); }' \
	-c "$tmp/orders"
same '26
70
get 7
put 7' "$(awk 'NF { print $1, $2 }' "$tmp/out" | sed 's/ $//' | LC_ALL=C sort)" 'functions that begin with an ordered access'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# 32-bit programs: arguments are on the stack, in registers with regparm and fastcall, results of 8 bytes in two
# registers, structs in memory; pointers have 4 bytes. Without debugging information too, and the operands of USDT.
# needs: uprobes gcc
# beside: it compiles and starts programs, and waits for no clock
# truth: arguments, 32-bit programs | parameters, members behind pointers, results | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/m.c" <<'C'
typedef long long wide;
struct node { struct node *next; int v; const char *name; wide large; };
#define OWN __attribute__((noinline, noclone))
int zero, *sink = &zero;
OWN int mark(int a, int b, int k) { *sink += a; return k + a; }
OWN __attribute__((regparm(3))) int in_regs(int a, int b, int k) { *sink += b; return k + a; }
OWN __attribute__((fastcall)) int fast(int a, int b, int k) { *sink += b; return k + a; }
OWN wide far(wide a, char c, struct node *n, struct node s, int k) { *sink += n->v; return a + c + ((wide)k << 32); }
OWN struct node give(int a, int k) { struct node n = { 0, a, 0, k }; *sink += k; return n; }
static OWN int own(int a, int b, int k) { *sink += a; return k - a; }
void _start(void)
{
	struct node n = { 0, 11, "text", 12 }, m = { &n, 13, 0, 14 };

	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
			 "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .4byte 990b, 0, 0\n.asciz \"shop\"\n.asciz \"sold\"\n"
			 ".asciz \"-4@%0 4@%1\"\n994: .balign 4\n.popsection" :: "r"(-21), "m"(n.v));
	mark(-1, 2, 7), in_regs(1, 2, 7), fast(1, 2, 7), far(5, 3, &m, n, 7), own(n.v, 2, 7);
	m = give(31, 32);
	__asm__("int $0x80" :: "a"(1), "b"(0));
}
C
for o in -O0 -O2; do
	gcc -m32 $o -g -w -ffreestanding -fno-stack-protector -nostdlib -static -no-pie -fno-pic -o "$tmp/m" "$tmp/m.c" || skip "gcc makes no 32-bit programs"
	"$tmp/m" || skip "this kernel runs no 32-bit programs"
	while IFS='|' read -r probe values want; do
		dtx -qn "uprobe:$tmp/m:$probe { printf(\"%d %d %d\\n\", $values); }" -c "$tmp/m"
		same "$want" "$(grep . "$tmp/out")" "$o: $probe $values"
	done <<-'END'
		mark:entry|a, b, k|-1 2 7
		mark:entry|(int)arg0, arg1, arg2|-1 2 7
		mark:return|retval, (int)arg1, 0|6 6 0
		in_regs:entry|a, b, k|1 2 7
		in_regs:entry|arg0, arg1, arg2|1 2 7
		fast:entry|a, b, 0|1 2 0
		far:entry|a, c, k|5 3 7
		far:entry|n->v, n->next->v, n->large|13 11 14
		far:entry|s.v, sizeof(n->next), s.large|11 4 12
		far:entry|n->next->name != NULL, n->next->next == NULL, 0|1 1 0
		far:return|retval & 0xff, retval >> 32, 0|8 7 0
		far:return|arg1 & 0xff, arg1 >> 32, 0|8 7 0
		give:entry|a, k, 0|31 32 0
		give:return|retval.v, retval.large, 0|31 32 0
		own:entry|a, k, 0|11 7 0
	END
	dtx -qn "usdt:$tmp/m:shop:sold { printf(\"%d %d\\n\", arg0, arg1); }" -c "$tmp/m"
	same '-21 11' "$(grep . "$tmp/out")" "$o: USDT"
	strip -g "$tmp/m"
	dtx -qn "uprobe:$tmp/m:mark:entry { printf(\"%d %d\\n\", arg1, arg2); }" -c "$tmp/m"
	same '2 7' "$(grep . "$tmp/out")" "$o: without debugging information"
done

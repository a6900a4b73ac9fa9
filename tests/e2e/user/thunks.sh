#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes g++
# timeout: 60
# truth: functions that return or jump by thunks (retpolines), with exceptions, tables and tail calls | entries, returns and results | what the program prints
# truth: functions whose blocks are sections of their own (clang) | entries, returns and results | what the program prints
#
# Compilers can be told to return and to jump through code that keeps the processor from guessing where to, elsewhere or in place.
# Its `ret` is no return of the function, and its jump is one through a register: a table, or a tail call. Or they cut it into parts.
. "$(dirname "$0")/../lib.sh"

[ -n "$THUNKS" ] || skip 'no compiler has such code for this machine'
cat >"$tmp/thunks.cc" <<'C'
#include <cstdio>
#include <stdexcept>
#define FAR __attribute__((noinline, noclone))
struct one { virtual int get(int k) { return k + 1; } virtual ~one() {} };
struct two : one { int get(int k) override { if (k % 5 == 0) throw std::runtime_error("five"); return k * 2; } };
FAR int catches(one *o, int n)
{
	int s = 0;

	for (int i = 0; i < 3; i++)
		try { s += o->get(n + i); } catch (std::exception &) { s += 100; }
	return s;
}
FAR int calls(one *o, int n) { return o->get(n) + o->get(n + 1); }
FAR int cases(int n)
{
	switch (n % 7) {
	case 0: return 5;
	case 1: fputs("", stdout); return n;
	case 2: return n * n;
	case 3: fflush(stdout); return 3;
	case 4: return n - 9;
	case 5: return 77;
	default: return -n;
	}
}
FAR void leaves(one *o, int *p) { *p += 1; o->get(*p * 7 + 1); }
int main()
{
	one o;
	two t;
	long sum[3] = {};
	int left = 0;

	for (int i = 0; i < 40; i++) {
		sum[0] += catches(i & 1 ? &o : &t, i);
		sum[1] += calls(&o, i);
		sum[2] += cases(i);
		leaves(&o, &left);
	}
	printf("calls 40 40 %ld\ncases 40 40 %ld\ncatches 40 40 %ld\nleaves 40 40\n", sum[1], sum[2], sum[0]);
	return left != 40;
}
C

# right HOW: counts and results of the program that was compiled so
right() {
	local how=$1
	dtx -qn 'pid$target:a.out:calls:entry, pid$target:a.out:cases:entry, pid$target:a.out:catches:entry, pid$target:a.out:leaves:entry
			{ @e[probefunc] = count(); }
		pid$target:a.out:calls:return, pid$target:a.out:cases:return, pid$target:a.out:catches:return
			{ @r[probefunc] = count(); @v[probefunc] = sum((int)arg1); }
		pid$target:a.out:leaves:return { @r[probefunc] = count(); }
		END { printa("dtx: %s %@d %@d %@d\n", @e, @r, @v); }' -c "$tmp/thunks"
	same "$(grep '^c' "$tmp/out")" "$(sed -n 's/^dtx: \(c.*\)/\1/p' "$tmp/out" | sort)" "$how: counts and results"
	grep -qE '^dtx: leaves 40 40' "$tmp/out" || fail "$how: $(cat "$tmp/out" "$tmp/err")"
}
for how in $THUNKS "-mindirect-branch=thunk -fjump-tables" "-mindirect-branch=thunk-inline -fjump-tables" \
	"-mindirect-branch=thunk-inline -mfunction-return=thunk-inline"; do
	# shellcheck disable=SC2086
	g++ -g -O2 $UNGUARDED $how -o "$tmp/thunks" "$tmp/thunks.cc" || fail "g++ $how"
	right "$how"
done

# Returns that are "pop, lfence, jmp", against load value injection.
for how in -mlvi-hardening -mseses; do
	command -v clang++ >"$tmp/where" || break
	clang++ -g -O2 -w $how -o "$tmp/thunks" "$tmp/thunks.cc" || fail "clang++ $how"
	right "$how"
done

# A function whose blocks are sections of their own, each with a symbol.
if clang-19 -g -O2 -fbasic-block-sections=all -x c++ "$tmp/thunks.cc" -o "$tmp/thunks" -lstdc++ 2>"$tmp/why"; then
	nm "$tmp/thunks" | grep -q '_Z5cases.*\.__part\.' || fail "the function has no parts: this shows nothing"
	right "blocks in sections"
fi

# A jump back to the function's own code that returns is one way of it. A part may have any size in the file: it is no part then.
cat >"$tmp/back.s" <<'S'
	.text
	.type twice,@function
twice:	test %edi,%edi
	jne 3f
2:	call 5f
4:	pause
	lfence
	jmp 4b
5:	lea 8(%rsp),%rsp
	ret
3:	mov %edi,%eax
	jmp 2b
	.size twice,.-twice
	.type sized,@function
sized:	ret
	.size sized,.-sized
	.balign 8
	.type "sized.__part.1",@function
"sized.__part.1":
	ret
	.size "sized.__part.1",-7
	.globl main
main:	mov $7,%edi
	call twice
	call sized
	xor %eax,%eax
	ret
	.section .note.GNU-stack,"",@progbits
S
gcc "$tmp/back.s" -o "$tmp/back" || fail 'back.s'
timeout 20 "$DTX" -qn 'pid$target:a.out:twice:return, pid$target:a.out:sized:return { printf("%s %d|", probefunc, (int)arg1); }' \
	-c "$tmp/back" >"$tmp/out" 2>"$tmp/err" || fail "back: $(cat "$tmp/err")"
same "$(cat "$tmp/out")" 'twice 7|sized 7|' 'a jump back, and a part of any size'
exit 0

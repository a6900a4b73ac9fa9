#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A function that ends by a jump to another one (a tail call) returns where that one ends: its result is known there. Calls that never
# return (longjmp, exceptions) leave nothing behind that a later call would be taken for, and the program computes what it computes.
# needs: uprobes gcc
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
# truth: return value at tail calls, direct, conditional, in switches, through the PLT, to IFUNCs, in chains | arg1, retval, args[1], arg0 | what the program prints
# truth: return value of functions that return by a jump to a thunk (-mfunction-return=thunk) | arg1, also at tail calls | what the program prints
# truth: return value at tail calls, after longjmp at the same place of the stack | how often each returns | the program's own calls
# attack: longjmp out of tail calls, then the same functions called at the same place of the stack | no return of an unwound call fires
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/tails.c" <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define FAR __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
#define SAY(f, v) ({ __auto_type v_ = v; printf("%s %ld\n", f, (long)v_); v_; })
static jmp_buf back;
static ucontext_t one, two;
static int leaves;
FAR long end(long n) { HIDE(n); if (leaves && n == 7) longjmp(back, 1); return n + 1; }
FAR long tail(long n) { HIDE(n); return end(n * 2 + 1); }
FAR long chain(long n) { HIDE(n); return tail(n + 100); }
FAR long maybe(long n) { HIDE(n); if (n > 5) return end(n); if (n == 3) return chain(n); return n; }
FAR long deep(long n) { long r; HIDE(n); if (!n) return 0; r = tail(0) + deep(n - 1); HIDE(r); return r; }
FAR long again(long n) { HIDE(n); return deep(n); }
FAR void *give(size_t n) { HIDE(n); return malloc(n * 2); }
FAR void *clear(void *p, size_t n) { HIDE(n); return memset(p, 0, n); }
FAR size_t length(const char *s) { HIDE(s); return strlen(s); }
FAR int odd(int n);
FAR int even(int n) { HIDE(n); return n ? odd(n - 1) : 1; }
FAR int odd(int n) { HIDE(n); return n ? even(n - 1) : 0; }
FAR long list(long n) { HIDE(n); do n -= 3; while (n > 0); return n; }
FAR long walk(long n) { HIDE(n); return list(n + 1); }
FAR long far(long n) { HIDE(n); swapcontext(&two, &one); HIDE(n); return n * 3; }
FAR long changes(long n) { HIDE(n); return far(n); }
static long (*const to[])(long) = { tail, end, maybe, chain };
static char stack[65536];
static void coroutine(void) { SAY("changes", changes(5)); }
static void *resume(void *p) { swapcontext(&one, &two); return p; }
int main(void)
{
	static long (*volatile f)(long);
	char b[50];
	volatile long s = 0;
	pthread_t t;

	for (long i = 0; i < 8; i++) {
		s += SAY("tail", tail(i)) + SAY("chain", chain(i)) + SAY("maybe", maybe(i)) + end(i);
		s += SAY("length", length("abcdefgh" + i)) + SAY("walk", walk(i)) + list(i);
		s += (long)SAY("give", give(i)) + (long)SAY("clear", clear(b, i));
	}
	s += SAY("again", again(40)) + end(1);
	leaves = 1;                      /* tail(3) and maybe(7) end in end(7), which jumps away */
	for (volatile int i = 0; i < 40; i++) {
		f = to[i & 3];
		if (!setjmp(back))
			s += f(i / 4 == 3 ? 3 + 4 * ((i & 3) == 2) + 4 * ((i & 3) == 1) : i);
	}
	leaves = 0;
	s += end(1) + end(2) + end(3);
	getcontext(&two);
	two.uc_stack.ss_sp = stack, two.uc_stack.ss_size = sizeof(stack), two.uc_link = &one;
	makecontext(&two, coroutine, 0);
	swapcontext(&one, &two);         /* it begins in this thread, and goes on in another one */
	pthread_create(&t, 0, resume, 0);
	pthread_join(t, 0);
	printf("sum %ld\n", even(6) + (s & 0));
	return 0;
}
C

# What the returns say, is what the program says, and what they say of the same program built without tail calls.
names='tail|chain|maybe|length|walk|again|changes|deep|end|list'
# But what it costs, and links that the kernel is slow to remove.
quiet() { if grep -vE ' of a CPU from the program|links are being removed' "$tmp/err" >&2; then fail "dtx says something"; fi; }
# shellcheck disable=SC2016
returns() {
	dtx -qn 'pid$target:a.out::return /strstr("|tail|chain|maybe|length|walk|again|changes|deep|end|list|give|clear|", strjoin(strjoin("|", probefunc), "|")) != NULL/
		{ printf("dtx: %s %d\n", probefunc, arg1); }
		END { printf("dtx: over 0\n"); }' -c "$1"
	quiet
	sed -n 's/^dtx: //p' "$tmp/out" | grep -E "^($names) " | sort >"$2"
	diff <(grep -E '^(give|clear) ' "$tmp/out" | sort) <(sed -n 's/^dtx: //p' "$tmp/out" | grep -E '^(give|clear) ' | sort) >&2 ||
		fail "$1: what the returns say is not what the program says"
	grep -qx 'sum 1' "$tmp/out" || fail "$1: the program computes something else"
}
gcc -g -w -O2 -fno-optimize-sibling-calls -pthread -o "$tmp/plain" "$tmp/tails.c" || fail gcc
returns "$tmp/plain" "$tmp/expected"
[ "$(wc -l <"$tmp/expected")" -gt 150 ] || fail "too few: $(cat "$tmp/expected")"
for how in "-O2" "-Os -Wl,-z,now" "-O2 -fno-plt" "-O1 -foptimize-sibling-calls -no-pie" "-O2 $GUARDED -Wl,-z,lazy" "-O2 $UNGUARDED $THUNKS"; do
	# shellcheck disable=SC2086
	gcc -g -w $how -pthread -o "$tmp/tails" "$tmp/tails.c" || fail "gcc $how"
	returns "$tmp/tails" "$tmp/came"
	diff "$tmp/expected" "$tmp/came" >&2 || fail "$how: other returns than without tail calls"
done

# Switches: their cases are reached by a table, and may end by a jump themselves; one jumps through a pointer, where the call
# returns without a result, and says so.
cat >"$tmp/cases.c" <<'C'
#include <stdio.h>
#define FAR __attribute__((noinline, noclone))
FAR int leaf(int x) { return x + 1000; }
int (*volatile other)(int) = leaf;
FAR int cases(int x)
{
	switch (x) {
	case 0: return 3;
	case 1: return leaf(7);
	case 2: return 99;
	case 3: return 17;
	case 4: return other(x);
	case 5: return 12;
	default: return leaf(x);
	}
}
FAR int top(int x) { return x < 0 ? 1 : cases(x); }
int main(void)
{
	for (int i = -1; i < 20; i++) {
		int r = top(i);

		if (i != 4)
			printf("top %d\n", r);
	}
	return 0;
}
C
for how in "-O2" "-O2 -fPIC $GUARDED"; do
	# shellcheck disable=SC2086
	gcc -g $how -o "$tmp/cases" "$tmp/cases.c" || fail "gcc $how"
	dtx -qn 'pid$target:a.out:top:return { @n = count(); printf("dtx: top %d\n", (int)arg1); } END { printa("dtx: all %@d\n", @n); }' -c "$tmp/cases"
	diff <(grep '^top ' "$tmp/out" | sort) <(sed -n 's/^dtx: //p' "$tmp/out" | grep '^top ' | sort) >&2 || fail "switch, $how"
	grep -qx 'dtx: all 21' "$tmp/out" && [ "$(grep -c 'no value yet' "$tmp/err")" = 1 ] || fail "a jump through a pointer, $how: $(cat "$tmp/out" "$tmp/err")"
done

# The C library: calloc() ends by a jump to memset(), realloc() to malloc(), through stubs that others use, too.
cat >"$tmp/heap.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	setvbuf(stdout, 0, _IONBF, 0);
	for (int i = 0; i < 50; i++) {
		printf("calloc %lx\n", (long)calloc(1, 100 + i));
		printf("calloc %lx\n", (long)calloc(3, 40000 + i));
		printf("realloc %lx\n", (long)realloc(NULL, 3000));
		printf("realloc %lx\n", (long)realloc(malloc(20), 200));
	}
	return 0;
}
C
gcc -w -O1 -fno-builtin -o "$tmp/heap" "$tmp/heap.c" || fail "gcc heap"
dtx -qn 'pid$target:libc:calloc:return,pid$target:libc:realloc:return { printf("dtx: %s %x\n", probefunc, arg1); }' -c "$tmp/heap"
quiet
diff <(grep -E '^(calloc|realloc) ' "$tmp/out" | sort) <(sed -n 's/^dtx: //p' "$tmp/out" | sort) >&2 || fail "calloc and realloc"

# A function in the place of the one that the linker names: an error or a loss, and never silence.
cat >"$tmp/other.c" <<'C'
#include <stddef.h>
void *__libc_malloc(size_t);
void *malloc(size_t n) { void *p = __libc_malloc(n + 16); __asm__ volatile("" : "+r"(p)); return p; }
C
gcc -O2 -shared -fPIC -o "$tmp/other.so" "$tmp/other.c" || fail "gcc other"
dtx -qn "uprobe:$tmp/tails:give:return { printf(\"seen %d\\n\", arg1); }" -c "env LD_PRELOAD=$tmp/other.so $tmp/tails"
grep -q 'return.* not seen' "$tmp/err" && ! grep -q '^seen' "$tmp/out" || fail "another malloc: $(cat "$tmp/out" "$tmp/err")"
# shellcheck disable=SC2016
dtx -qn 'pid$target:a.out:give:return { printf("dtx: give %d\n", arg1); }' -c "$tmp/tails"
diff <(grep '^give ' "$tmp/out") <(sed -n 's/^dtx: //p' "$tmp/out") >&2 || fail "give"

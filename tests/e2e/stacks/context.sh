#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# A function that makecontext() begins is the first of its stack: the stack is whole, also in handlers of exit() that run on it; with the
# C library, and in programs that have it in them.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.c" <<'END'
#include <stdlib.h>
#include <ucontext.h>
static ucontext_t back, other, linked;
static char stack[65536], stack2[65536];
static volatile long sum;
__attribute__((noipa)) void tick(long n) { sum += n; }
__attribute__((noipa)) static void at_exit(void) { tick(1); sum++; }
__attribute__((noipa)) static void body(void)
{
	tick(2);
	swapcontext(&other, &back);
	tick(3);
	sum++;
}
__attribute__((noipa)) static void with_successor(void) { tick(4); sum++; }
int main(void)
{
	atexit(at_exit);
	getcontext(&linked);
	linked.uc_stack.ss_sp = stack2;
	linked.uc_stack.ss_size = sizeof(stack2);
	linked.uc_link = &back;
	makecontext(&linked, with_successor, 0);
	swapcontext(&back, &linked);
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof(stack);
	makecontext(&other, body, 0);
	swapcontext(&back, &other);
	setcontext(&other);
	return 1;
}
END
for how in -pie -static -static-pie; do
	gcc "$how" -O2 -fomit-frame-pointer -o "$tmp/prog" "$tmp/prog.c" || fail "cannot compile: $how"
	dtx -qn 'pid$target:prog:tick:entry { printf("%d", arg0); ustack(); }' -c "$tmp/prog"
	! grep incomplete "$tmp/out" "$tmp/err" || fail "$how: $(cat "$tmp/out")"
	awk '/`/ { sub(/.*`/, ""); sub(/[+]0x.*/, ""); line = line " " $1 } /^[0-9]/ { if (line != "") print line; line = $1 } END { print line }' "$tmp/out" >"$tmp/lines"
	grep -E '^4 tick with_successor ' "$tmp/lines" >/dev/null && grep -E '^2 tick body ' "$tmp/lines" >/dev/null && grep -E '^3 tick body ' "$tmp/lines" >/dev/null && grep -E '^1 tick at_exit .*exit ' "$tmp/lines" >/dev/null ||
		fail "$how: $(cat "$tmp/lines" "$tmp/out")"
done

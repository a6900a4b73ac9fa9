#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A handler of a signal looks at the stack while a function runs that calls nothing: with its entry and return probed it sees what it sees
# without dtx.
# needs: uprobes gcc
# attack: a handler of a signal walks the stack in a leaf function whose return is probed | it sees the whole stack
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/leaf.c" <<'C'
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile int whole, cut;
__attribute__((noinline)) long leaf(long k) { long s = 0; for (long i = 0; i < k; i++) { s += i; __asm__ volatile("" : "+r"(s)); } return s; }
static void tick(int sig) { void *f[20]; if (backtrace(f, 20) >= 6) whole++; else cut++; }
int main(void)
{
	struct itimerval t = { { 0, 2000 }, { 0, 2000 } };
	void *f[2];

	backtrace(f, 2);                 /* it loads a library the first time */
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &t, 0);
	while (whole + cut < 50)
		leaf(100000);
	printf("cut %d\n", cut);
	return 0;
}
C
gcc -g -O1 -o "$tmp/leaf" "$tmp/leaf.c" || fail gcc
"$tmp/leaf" | grep -qx 'cut 0' || skip "backtrace() does not see six frames here"
# shellcheck disable=SC2016
dtx -qn 'pid$target:a.out:leaf:entry { n++; } pid$target:a.out:leaf:return { r++; } END { printf("%s\n", n && n == r ? "all" : "other"); }' -c "$tmp/leaf"
grep -qx 'cut 0' "$tmp/out" && grep -qx all "$tmp/out" || fail "$(cat "$tmp/out" "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Programs that throw exceptions, jump out of functions, change between stacks or end threads in the middle do with all their returns
# probed what they do without.
# needs: uprobes gcc g++
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
# truth: programs that throw, longjmp, swapcontext, pthread_exit | output and status with all returns probed | the same without dtx
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/throws.cc" <<'C'
#include <cstdio>
#include <stdexcept>
#define FAR __attribute__((noinline))
struct guard { int *n; ~guard() { ++*n; } };
static int ended;
FAR int deep(int n) { guard g = { &ended }; if (n % 2) throw std::runtime_error("odd"); return n; }
FAR int mid(int n) { guard g = { &ended }; int r = deep(n); return r + 1; }
FAR int caught(int n) { try { return mid(n); } catch (std::exception &) { return 100; } }
int main() { int s = 0; for (int i = 0; i < 6; i++) s += caught(i); printf("sum %d %d\n", s, ended); }
C
cat >"$tmp/jumps.c" <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>
#define FAR __attribute__((noinline))
static sigjmp_buf env;
static ucontext_t main_ctx, co;
static char stack[65536];
static int given, cleaned;
FAR void leap(int n) { siglongjmp(env, n); }
FAR int turn(int n) { if (!sigsetjmp(env, 0)) leap(n); return n; }
FAR void give(int v) { given = v; swapcontext(&co, &main_ctx); }
static void body(void) { for (int i = 1; ; i++) give(i); }
FAR int next(void) { swapcontext(&main_ctx, &co); return given; }
static void clean(void *p) { cleaned++; }
FAR void leave(void) { pthread_exit((void *)7); }
FAR void *thread(void *p) { pthread_cleanup_push(clean, p); leave(); pthread_cleanup_pop(0); return p; }
static void handler(int sig) { leap(9); }
int main(void)
{
	pthread_t th;
	void *got;
	int s = 0;

	for (int i = 1; i <= 5; i++)
		s += turn(i);
	getcontext(&co);
	co.uc_stack.ss_sp = stack, co.uc_stack.ss_size = sizeof(stack);
	makecontext(&co, body, 0);
	for (int i = 0; i < 5; i++)
		s += next();
	signal(SIGUSR1, handler);
	if (!sigsetjmp(env, 1))
		raise(SIGUSR1);
	pthread_create(&th, NULL, thread, NULL);
	pthread_join(th, &got);
	printf("sum %d %ld %d\n", s, (long)got, cleaned);
	return 3;
}
C
# alike PROBES COMMAND: the same output, and the same status in dtx's message
alike() {
	local plain status
	plain=$(eval "$2" 2>&1)
	status=$?
	"$DTX" -qn "$1"' { @ = count(); } END { printa("dtx %@d\n", @); }' -c "$2" >"$tmp/out" 2>"$tmp/err" || fail "$1, $2: $(cat "$tmp/err")"
	same "$plain" "$(grep -v '^dtx ' "$tmp/out" | grep .)" "$1, $2"
	[ "$(sed -n 's/^dtx //p' "$tmp/out")" -gt 0 ] || fail "$1, $2: no returns"
	[ $status = 0 ] || "$DTX" -n "$1"' { n++; }' -c "$2" 2>&1 | grep -q "exited with status $status" || fail "$1, $2: not status $status"
}
for how in -O0 -O2; do
	g++ $how -o "$tmp/throws" "$tmp/throws.cc" && gcc $how -w -pthread -o "$tmp/jumps" "$tmp/jumps.c" || fail "$how"
	for p in 'pid$target:a.out::return' 'pid$target:::return'; do
		alike "$p" "$tmp/throws"
		alike "$p" "$tmp/jumps"
	done
	alike 'pid$target:libc*:swapcontext:return' "$tmp/jumps"
	alike 'pid$target:libc*:*setjmp*:return' "$tmp/jumps"
	alike "uretprobe:$tmp/throws:mid" "$tmp/throws"
done
alike 'pid$target:::entry,pid$target:::return' "ls -d /"
alike 'pid$target:::entry,pid$target:::return' "bash -c 'echo hi-\$((1+2)) | cat'"
exit 0

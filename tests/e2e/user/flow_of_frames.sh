#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes g++
# timeout: 60
# truth: time of calls that are left by exceptions, that change stacks, or that are 1,500 deep | -F -x flowtime, a time line and a replay | what each call sleeps
#
# Which return belongs to which entry: the next return of a function in a thread may be that of another call.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/calls.cc" <<'C'
#include <time.h>
#include <ucontext.h>
#define FAR extern "C" __attribute__((noipa))
#define STAY __asm__ volatile("")
static void wait_ms(int ms) { timespec t = { 0, ms * 1000000L }; nanosleep(&t, nullptr); }
FAR int thrown(int n)
{
	if (!n)
		throw 1;
	wait_ms(50);
	try { thrown(0); } catch (int) { }
	STAY;
	return n;
}
FAR int deep(int n)
{
	int r = n ? deep(n - 1) + 1 : 0;

	if (n == 0 || n == 1400)
		wait_ms(30);
	STAY;
	return r;
}
static ucontext_t home, one, two;
static char stacks[2][65536];
FAR void part(int ms, ucontext_t *me, ucontext_t *to) { wait_ms(ms); swapcontext(me, to); wait_ms(ms); STAY; }
static void first() { part(30, &one, &two); swapcontext(&one, &two); }
static void second() { part(1, &two, &one); swapcontext(&two, &home); }
static void fiber(ucontext_t *c, char *stack, void (*f)())
{
	getcontext(c);
	c->uc_stack.ss_sp = stack;
	c->uc_stack.ss_size = sizeof(stacks[0]);
	makecontext(c, f, 0);
}
int main()
{
	thrown(1);
	fiber(&one, stacks[0], first);
	fiber(&two, stacks[1], second);
	swapcontext(&home, &one);
	return deep(1500) != 1500;
}
C
g++ -O1 -o "$tmp/calls" "$tmp/calls.cc" || fail 'g++'
calls() { echo "pid\$target:a.out:$1:entry,pid\$target:a.out:$1:return {}"; }

# took: of each return, in order, its function and what it took in milliseconds ("-": not known).
took() { awk '/<-/ { print $NF, $2 ~ /^[0-9]+$/ ? int($2 / 1000000) : "-" }' "$1"; }
dtx -F -x flowtime -n "$(calls thrown) $(calls part)" --record "$tmp/kept" -c "$tmp/calls"
took "$tmp/out" >"$tmp/took"
# The first call of part() waits 30 ms before and after 1 ms of the second; the second returns 1 ms after the first.
awk 'NR == 1 && $1 == "thrown" && $2 >= 50 { ok++ } NR == 2 && $1 == "part" && $2 >= 61 { ok++; first = $2 }
	NR == 3 && $1 == "part" && $2 >= 32 && $2 < first { ok++ } END { exit ok != 3 || NR != 3 }' "$tmp/took" || fail "flowtime: $(cat "$tmp/out")"
"$DTX" --replay "$tmp/kept" >"$tmp/again" 2>/dev/null || fail 'replay'
took "$tmp/again" | diff "$tmp/took" - || fail 'the replay differs'

dtx -F -x flowtime -b 16m -n "$(calls deep)" -c "$tmp/calls"
took "$tmp/out" | awk '$2 == "-" || $2 < last || (NR <= 1400 && $2 < 30) || (NR > 1400 && $2 < 60) { print NR ": " $0; bad = 1 } { last = $2 }
	END { exit bad || NR != 1501 }' || fail "deep calls"

# A time line has the call that was left by an exception as an instant.
dtx -q --trace "$tmp/line" -n "$(calls thrown) $(calls part)" -c "$tmp/calls"
grep -q '"ph":"i","name":"thrown:entry"' "$tmp/line" || fail "no instant: $(cat "$tmp/line")"
sed -nE 's/.*"ph":"X","name":"(thrown|part)".*"dur":([0-9]+).*/\1 \2/p' "$tmp/line" |
	awk '$2 >= ($1 == "part" ? 61000 : 50000) { n++ } END { exit n != 2 || NR != 2 }' || fail "the time line: $(cat "$tmp/line")"

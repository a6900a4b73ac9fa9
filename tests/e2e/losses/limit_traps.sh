#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root uprobes gcc
# where: native
# timeout: 90
#
# maxoverhead counts what a probe in a program takes from that program: the traps, at the price that they have on this machine.
# attack: a probe in a function that is called all the time, without the option | a warning after 100 ms, with what it costs; none of a cool function
# attack: probes of two prices in functions that all programs call, on a busy machine | the warning tells no more than all CPUs
# attack: a probe in a function that is called all the time, with maxoverhead | it is detached and named, another probe of the same program goes on
# attack: a USDT probe in threads that each live for a moment, with maxoverhead | it is detached and named
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/hot.c" <<'END'
#include <unistd.h>
__attribute__((noinline)) int hot(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int cold(int x) { __asm__ volatile(""); return x + 2; }
int main(void)
{
	int n = 0;

	alarm(30);
	for (;;) {
		for (int i = 0; i < 100000; i++)
			n += hot(i);
		n += cold(n);
	}
}
END
gcc -O1 -o "$tmp/hot" "$tmp/hot.c" || fail 'gcc'
for at in entry return; do
	: >"$tmp/err"
	"$DTX" -x maxoverhead=5% -qn 'pid$target::hot:'$at' { @hot = count(); } pid$target::cold:'$at' { @cold = count(); cold++; }
		tick-100ms /cold > 3/ { exit(0); } END { printa("cold %@d\n", @cold); }' -c "$tmp/hot" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	grep -qE "^dtx: maxoverhead: pid[0-9]+:hot:hot:$at is detached: it took [0-9.]+% of the time of a CPU \([0-9]+ firings of [0-9]+ ns, traps included, in " "$tmp/err" ||
		fail "$at of the hot function is not detached: $(cat "$tmp/err" "$tmp/out")"
	# What is said is one account: firings of a price in a time are the share.
	sed -nE 's/.* took ([0-9.]+)% .*\(([0-9]+) firings of ([0-9]+) ns, .* in ([0-9.]+) s\).*/\1 \2 \3 \4/p' "$tmp/err" |
		awk '{ share = $2 * $3 / 1e7; if (share < $1 * ($4 - 0.06) || share > $1 * ($4 + 0.06)) exit 1 }' ||
		fail "the share is not that of the firings: $(cat "$tmp/err")"
	grep -q 'cold:.* is detached' "$tmp/err" && fail "the other went, too: $(cat "$tmp/err")"
	[ "$(sed -n 's/^cold //p' "$tmp/out")" -gt 3 ] || fail "the other one does not count: $(cat "$tmp/out")"
done

# warned PROGRAM: without the option, is there a warning?
warned() {
	nice -n -15 "$DTX" -qn 'pid$target::hot:entry { n++; } tick-300ms { exit(0); }' -c "$1" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	grep -qE '^dtx: warning: pid[0-9]+:[a-z]+:hot:entry takes [0-9]+% of a CPU from the program it is in: it fires [0-9]+ times a second, for [0-9.]+ us each; -x maxoverhead=5 ' "$tmp/err"
}
sed 's/for (;;)/for (;; usleep(2000))/; s/100000/1/' "$tmp/hot.c" >"$tmp/cool.c"
gcc -O1 -o "$tmp/cool" "$tmp/cool.c" || fail 'gcc'
warned "$tmp/cool" && fail "a warning of a probe that fires rarely: $(cat "$tmp/err")"
for ((i = 0; i < 30; i++)); do warned "$tmp/hot" && break; done          # the program may not have had the CPU
[ $i -lt 30 ] || fail "no warning of a hot function: $(cat "$tmp/err")"

# A trap that steps over an instruction, and one that does not: the price is that of the first, or more.
for ((i = 0; i < 4; i++)); do "$tmp/hot" & done
dtx -qn "uprobe:$tmp/hot:hot:entry, uprobe:libc:malloc:entry { n++; } tick-300ms { exit(0); }"
kill $(jobs -p)
share=$(sed -nE 's/.*takes ([0-9]+)% of a CPU.*/\1/p' "$tmp/err")
[ "${share:-0}" -le $((100 * $(getconf _NPROCESSORS_ONLN))) ] || fail "more than all CPUs: $(cat "$tmp/err")"

# A USDT probe in threads that each live for a moment.
cat >"$tmp/brief.d" <<'END'
provider brief { probe hit(int); };
END
"$DTX" -h -s "$tmp/brief.d" -o "$tmp/brief.h" || fail 'the header'
cat >"$tmp/brief.c" <<'END'
#include <pthread.h>
#include <unistd.h>
#include "brief.h"
static void *run(void *arg)
{
	for (int i = 0; i < 2000; i++)
		BRIEF_HIT(i);
	return arg;
}
int main(void)
{
	pthread_t t;

	alarm(30);
	for (;;)
		if (!pthread_create(&t, NULL, run, NULL))
			pthread_join(t, NULL);
}
END
gcc -O1 -I"$tmp" -o "$tmp/brief" "$tmp/brief.c" -lpthread || fail 'gcc'
dtx -x maxoverhead=5% -n 'long n, last; brief$target:::hit { n++; } tick-100ms /n && n == last/ { exit(0); } tick-100ms { last = n; } END { printf("%d\n", n); }' -c "$tmp/brief"
grep -qE '^dtx: maxoverhead: brief[0-9]+:brief:run:hit is detached: it took [0-9.]+% of the time of a CPU' "$tmp/err" || fail "threads: $(cat "$tmp/err")"
grep -qx 'dtx: lost in all: 1 probe detached by maxoverhead' "$tmp/err" || fail "the account: $(cat "$tmp/err")"

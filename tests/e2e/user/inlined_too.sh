#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A function that has code of its own and is also inlined: its probe says at how many places, and -x inlined probes these.
# row: options.inlined
# needs: uprobes gcc g++
# truth: calls of an inlined function | count() at its entry with -x inlined | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/in.c" <<'C'
#include <stdio.h>
int price(int n) { __asm__ volatile("" : "+r"(n)); return n * 3 + 1; }
__attribute__((noinline)) int far(int n) { return n + 2; }
int main(int argc, char **argv)
{
	int (*volatile own)(int) = price, s = own(argc);

	for (int i = 0; i < 5; i++) {
		s += price(i + argc);
		__asm__ volatile("" : "+r"(s));
	}
	return far(s) == 0;
}
C
cat >"$tmp/in.cc" <<'C'
struct item { int n; int get(int k) const { __asm__ volatile("" : "+r"(k)); return n * k; } };
struct other { int n; int get(int k) const { __asm__ volatile("" : "+r"(k)); return n + k; } };
int main(int argc, char **argv)
{
	item i = { argc };
	other o = { argc };
	int s = 0;

	for (int k = 0; k < 5; k++) {
		s += i.get(k) + o.get(k);
		__asm__ volatile("" : "+r"(s));
	}
	int (item::*volatile own)(int) const = &item::get;
	int (other::*volatile second)(int) const = &other::get;
	return (i.*own)(7) + (o.*second)(8) + s == 0;
}
C
# calls N PROBE PROGRAM
calls() {
	dtx -qx inlined -n "$2 { @ = count(); }" -c "$3"
	same "$1" "$(awk 'NF { print $1 }' "$tmp/out")" "$2 of $3"
}
for cc in gcc; do
	command -v $cc >/dev/null || continue
	$cc -g -O2 -o "$tmp/in" "$tmp/in.c" || fail $cc
	for p in "uprobe:$tmp/in:price" 'pid$target:a.out:price:entry' "uretprobe:$tmp/in:price"; do
		dtx -n "$p { @ = count(); }" -c "$tmp/in"
		grep -q "'price' is also inlined, at 1 place," "$tmp/err" || fail "$cc, $p: $(cat "$tmp/err")"
	done
	calls 6 "uprobe:$tmp/in:price:entry" "$tmp/in"
	calls 6 'pid$target:a.out:price:entry' "$tmp/in"
	dtx -n "uprobe:$tmp/in:far:entry { @ = count(); }" -c "$tmp/in"
	if grep -q inlined "$tmp/err"; then fail "far is not inlined"; fi
done
g++ -g -O2 -o "$tmp/inc" "$tmp/in.cc" || fail g++
calls 6 "uprobe:$tmp/inc:item::get:entry" "$tmp/inc"
# gcc inlines only what comes first, and makes a function of the rest: calls that end before it are nowhere to be probed.
cat >"$tmp/split.c" <<'C'
#include <stdio.h>
static volatile int sink;
#define MORE(mask) for (int i = 0; i < n; i++) { s += p[i & (mask)]; sink = s; printf("%s", s == -9 ? "x" : ""); }
int early(int *p, int n) { int s = 0; if (__builtin_expect(!p, 1)) return 7; MORE(7) MORE(3) return s; }
int (*volatile own)(int *, int) = early;
int main(void)
{
	int v[8] = { 1, 2, 3 }, s = own(v, 2);

	for (int i = 0; i < 24; i++)
		s += early(i % 3 ? 0 : v, i);
	return s == 0;
}
C
# split CALLS TEXT ARG…: so many calls, and what is said of the others
split() {
	local calls=$1 text=$2
	shift 2
	dtx -n 'pid$target:a.out:early:entry { @ = count(); }' "$@" -c "$tmp/split"
	same "$calls" "$(awk 'NF { print $1 }' "$tmp/out")" "a function in two parts, $*"
	grep -qF -- "$text" "$tmp/err" || fail "not told '$text': $(cat "$tmp/err")"
}
gcc -g -O2 -o "$tmp/split" "$tmp/split.c" || fail split
if nm "$tmp/split" | grep -q 'early\.part\.0$'; then
	moved="gcc has moved what comes later in 'early' into 'early.part.0', and inlined what comes first: calls that"
	split 1 "'early' is also inlined, at 1 place,"
	split 9 "$moved end before that part do not fire this probe" -x inlined
	strip -g "$tmp/split"
	split 1 "$moved it inlined do not fire this probe"
fi

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

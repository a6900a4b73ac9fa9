#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions whose rare code the compiler has put elsewhere, and functions inside of functions: lambdas, methods of local classes, nested
# functions of gcc. All have their parameters.
# needs: uprobes g++
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/parts.cc" <<'C'
#include <stdexcept>
#define FAR __attribute__((noinline, noclone))
FAR int thrower(int x, const char *why) { if (x > 99) throw std::runtime_error(why); return x * 2; }
int main(int argc, char **)
{
	auto lambda = [argc](int x, long y) FAR { asm volatile("" ::: "memory"); return x + argc + y; };
	struct local { int k; FAR int method(int z) { asm volatile("" ::: "memory"); return z + k; } } l = { argc };

	return thrower(4, "why") + lambda(5, 6) + l.method(7) == 0;
}
C
cat >"$tmp/nested.c" <<'C'
#include <stdlib.h>
__attribute__((noinline)) int sum(int n)
{
	__attribute__((noinline)) int inner(int m) { asm volatile("" ::: "memory"); return m + n; }
	if (n > 99)
		abort();
	return inner(n + 1) + inner(n + 2);
}
int main(void) { return sum(3) == 0; }
C
# want PROGRAM VALUE CLAUSE
want() {
	dtx -qn "uprobe:$tmp/$1:$3" -c "$tmp/$1"
	same "$2" "$(grep . "$tmp/out")" "$how: $3"
}
for how in -O0 -O2; do
	g++ -g $how -freorder-blocks-and-partition -o "$tmp/parts" "$tmp/parts.cc" && gcc -g $how -o "$tmp/nested" "$tmp/nested.c" || fail "$how"
	want parts "4 1" 'thrower:entry { printf("%d %d\n", x, why != NULL); }'
	want parts "5 6" '*lambda*:entry { printf("%d %d\n", x, y); }'
	want parts "7 1" '*local*method*:entry { printf("%d %d\n", z, args.this->k); }'
	want nested 3 'sum:entry { printf("%d\n", n); }'
	want nested $'4\n5' 'inner*:entry { printf("%d\n", m); }'
done
nm "$tmp/parts" | grep -q 'thrower.*cold' || fail "no part of thrower() is elsewhere: this shows nothing"
exit 0

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# LLVM removes parameters of static functions that nothing uses, and the others move, under the same name: they are
# read where debugging information says, and what was removed is refused.
# needs: uprobes clang
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.c" <<'C'
#include <stdio.h>
struct item { int price, n; };
static __attribute__((noinline)) int cost(int unused, struct item *it, int z) { return it->price * z + !printf("\n"); }
__attribute__((noinline)) int seen(int unused, struct item *it, int z) { return it->n * z; }
int main(int argc, char **argv)
{
	struct item it = { 40 + argc, 2 };
	int t = 0;

	for (int i = 0; i < 2; i++)
		t += cost(i * 3, &it, i + 7) + seen(i, &it, i + 5);
	return t == 0;
}
C
for level in 0 2; do
	clang -g -O$level "$tmp/shop.c" -o "$tmp/shop" || fail "clang"
	dtx -qn "uprobe:$tmp/shop:cost:entry { printf(\"%d %d %d\n\", it->price, z, args[1]->n); }" -c "$tmp/shop"
	same $'41 7 2\n41 8 2' "$(grep . "$tmp/out")" "-O$level: cost()"
	dtx -qn "uprobe:$tmp/shop:seen:entry { printf(\"%d %d\n\", it->n, z); }" -c "$tmp/shop"
	same $'2 5\n2 6' "$(grep . "$tmp/out")" "-O$level: seen()"
done
"$DTX" -qn "uprobe:$tmp/shop:cost:entry { trace(unused); }" 2>"$tmp/err" && fail "a parameter that is not there has a value"
grep -q "'unused' cannot be read in .*optimised out" "$tmp/err" || fail "unused: $(cat "$tmp/err")"

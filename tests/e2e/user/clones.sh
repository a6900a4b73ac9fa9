#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions of which the optimiser left only a copy with other parameters (area.constprop.0.isra.0): the name in
# the source is enough, arguments are where debugging information says, and what was removed is said.
# needs: uprobes
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.c" <<'C'
#include <stdio.h>
struct box { int x, y; };
static __attribute__((noinline)) int area(int unused, struct box *b, int k) { return b->x * k + b->y; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++) {
		struct box b = { argc + i, i };
		fprintf(stderr, "%d\n", area(i, &b, 7));
	}
	return 0;
}
C
gcc -O2 -g "$tmp/shop.c" -o "$tmp/shop" || fail "gcc"
clone=$(nm "$tmp/shop" | sed -n 's/.* t \(area\..*\)/\1/p')
[ -n "$clone" ] || skip "the compiler makes no clone of a function"

want="1 0 7 $clone
2 1 7 $clone
3 2 7 $clone"
for probe in "uprobe:$tmp/shop:area:entry" "uprobe:$tmp/shop:ar*:entry" 'pid$target:a.out:area:entry'; do
	dtx -qn "$probe { printf(\"%d %d %d %s\n\", arg0, arg1, k, probefunc); }" -c "$tmp/shop"
	same "$want" "$(grep . "$tmp/out")" "$probe"
done
dtx -qn 'pid$target:a.out:area:return { printf("%d\n", arg1); }' -c "$tmp/shop"
same $'7\n15\n23' "$(grep . "$tmp/out")" "what it returns"

# As in DTrace, patterns of pid leave clones out.
same '' "$("$DTX" -ln 'pid$target:a.out:ar*:entry' -c "$tmp/shop" 2>/dev/null | grep area)" "a pattern of pid"

refused() {
	"$DTX" -qn "uprobe:$tmp/shop:area:entry { $1; }" 2>"$tmp/err" && fail "accepted: $1"
	grep -q -- "$2" "$tmp/err" || fail "$1: $(cat "$tmp/err")"
}
refused 'trace(unused)' "'unused' cannot be read in .*: the compiler has removed the parameter"
refused 'trace(args[1])' 'arg0 ... arg9 are the raw values'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions of which the optimiser left only a copy with other parameters (area.constprop.0.isra.0): the name in
# the source is enough, arguments are where debugging information says, and what was removed is said.
# needs: uprobes gcc objcopy
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

want="7 7 $clone
7 7 $clone
7 7 $clone"
for probe in "uprobe:$tmp/shop:area:entry" "uprobe:$tmp/shop:ar*:entry" 'pid$target:a.out:area:entry'; do
	dtx -qn "$probe { printf(\"%d %d %s\n\", k, arg2, probefunc); }" -c "$tmp/shop"
	same "$want" "$(grep . "$tmp/out")" "$probe"
done
dtx -qn 'pid$target:a.out:area:return { printf("%d\n", arg1); }' -c "$tmp/shop"
same $'7\n15\n23' "$(grep . "$tmp/out")" "what it returns"

# As in DTrace, patterns of pid leave clones out.
same '' "$("$DTX" -ln 'pid$target:a.out:ar*:entry' -c "$tmp/shop" 2>/dev/null | grep area)" "a pattern of pid"
# says TEXT ARG…: dtx refuses it, and the reason has this text.
says() {
	local text=$1
	shift
	"$DTX" -q "$@" 2>"$tmp/err" && fail "accepted: $*"
	grep -qF -- "$text" "$tmp/err" || fail "$*: $(cat "$tmp/err")"
}
says "patterns leave out what the optimiser has made of functions; name it without a pattern: $clone" \
	-n 'pid$target:a.out:ar*:entry' -c "$tmp/shop"

refused() {
	"$DTX" -qn "uprobe:$tmp/shop:area:entry { trace($1); }" 2>"$tmp/err" && fail "accepted: $1"
	grep -q -- "'$2' cannot be read in .*: the compiler has removed the parameter" "$tmp/err" || fail "$1: $(cat "$tmp/err")"
}
refused unused unused
refused 'args[1]->x' b
refused arg0 unused

# Without debugging information nobody knows which parameters are left: a register would be another one's. The result is where it was.
strip -g -o "$tmp/bare" "$tmp/shop"
"$DTX" -qn "uprobe:$tmp/bare:area:entry { trace(arg0); }" 2>"$tmp/err" && fail "accepted: arg0 without debugging information"
grep -q 'the optimiser has given it other parameters than the source' "$tmp/err" || fail "$(cat "$tmp/err")"
says "note: uprobe:$tmp/bare:$clone:entry: the optimiser has given it other parameters than the source" \
	-n "uprobe:$tmp/bare:area:entry { trace(args.k); }"
if grep 'raw values' "$tmp/err"; then fail 'raw values that are refused'; fi
dtx -qn "uprobe:$tmp/bare:area:entry { n++; } uprobe:$tmp/bare:area:return { printf(\"%d %d\n\", n, arg1); }" -c "$tmp/bare"
same $'1 7\n2 15\n3 23' "$(grep . "$tmp/out")" "counts and results"

# The function is there, too: its name is all of them, once each.
cat >"$tmp/both.c" <<'C'
#define own __attribute__((noipa))
own int visit(int a, int b) { return a + b; }
int alias(int a, int b) __asm__("visit.localalias") __attribute__((alias("visit")));
int copy(int a, int b) __asm__("visit.constprop.0");
int part(int a, int b) __asm__("visit.part.0");
own int copy(int a, int b) { return a - b; }
own int part(int a, int b) { return a * b; }
int main(void) { return visit(1, 2) + alias(3, 4) + copy(5, 6) + part(7, 8) != 65; }
C
gcc -O1 -g "$tmp/both.c" -o "$tmp/both" && "$tmp/both" || fail "both"
for a in a 'args[0]' arg0; do
	dtx -qn "uprobe:$tmp/both:visit:entry { printf(\"%s %d\n\", probefunc, $a); }" -c "$tmp/both"
	same $'visit 1\nvisit 3\nvisit.constprop.0 5' "$(grep . "$tmp/out" | sort)" "both, $a"
done
dtx -qn 'pid$target:a.out:visit:return { printf("%d\n", retval); }' -c "$tmp/both"
same $'-1\n3\n7' "$(grep . "$tmp/out" | sort -n)" "both, return"

# A pattern of pid leaves copies out, as in DTrace, and says so: their calls are missed. What shares its code with a function is no copy.
dtx -qn 'pid$target:a.out:v*:entry,pid$target:a.out:v*:return { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c "$tmp/both"
same $'entry 2\nreturn 2' "$(grep . "$tmp/out" | sort)" 'a pattern of pid'
grep -qF 'not probed in both: visit.constprop.0: the optimiser has made a copy of the function, and patterns of pid leave copies out' "$tmp/err" ||
	fail "not told: $(cat "$tmp/err")"
dtx -qn "uprobe:$tmp/both:v*:entry { @ = count(); }" -c "$tmp/both"
same 3 "$(awk 'NF { print $1 }' "$tmp/out")" 'a pattern of uprobe'
if [ -s "$tmp/err" ]; then fail "uprobe: $(cat "$tmp/err")"; fi

# A part of a function has parameters of its own: without debugging information they are as unknown. So is a form that nobody reads.
strip -g -o "$tmp/parts" "$tmp/both"
says 'the optimiser has given it other parameters' -n "uprobe:$tmp/parts:visit.part.0:entry { trace(arg0); }"
says 'no debugging information of ' -n "uprobe:$tmp/parts:visit:entry { trace(args.a); }"
echo stabs >"$tmp/old"
objcopy --add-section .stab="$tmp/old" "$tmp/parts" || fail 'objcopy'
says 'it is of an old form that cannot be read (stabs)' -n "uprobe:$tmp/parts:visit:entry { trace(args.a); }"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
# timeout: 60
# truth: programs whose code is laid out in unusual ways: segments that share a page, other linkers, code and constants in one segment | calls, results, depth of stacks | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/p.c" <<'C'
#include <stdio.h>
#define FAR __attribute__((noinline, noclone))
static volatile int sink, total;
FAR int leaf(int n) { sink += n; return n * 3 + 1; }
FAR int rec(int n) { int r = (n ? rec(n - 1) : 0) + leaf(n); total += r; return r; }
int main(void)
{
	for (int i = 0; i < 20; i++)
		rec(i % 4);
	printf("sum %d\n", total);
	return 0;
}
C

# right HOW COMMAND…: it makes $tmp/p, and the stacks have a frame for each call, and end where the program begins.
right() {
	local how=$1
	shift
	"$@" 2>"$tmp/err" || fail "$how: $(cat "$tmp/err")"
	dtx -qn 'pid$target:a.out:leaf:entry { @e = count(); @d[arg0] = max(ustackdepth); @s[ustack()] = count(); }
		pid$target:a.out:rec:return { @r = sum((int)arg1); @n = count(); }
		END { printa("e %@d r %@d n %@d\n", @e, @r, @n); printa("d %d %@d\n", @d); printa("%k%@d\n", @s); }' -c "$tmp/p"
	same "e 50 r $(sed -n 's/^sum //p' "$tmp/out") n 50" "$(grep '^e ' "$tmp/out")" "$how: counts and results"
	# A stack is the deeper the lower arg0 is at its leaf: rec(3) calls leaf(0) four calls deep.
	same '3 2 1 0' "$(sort -k3n "$tmp/out" | awk '/^d / { printf "%s%s", sep, $2; sep = " " }')" "$how: depths"
	if grep -q '^\[' "$tmp/out"; then fail "$how: not whole: $(cat "$tmp/out")"; fi
	same "$(grep -c '`leaf$' "$tmp/out")" "$(grep -c '`_start+' "$tmp/out")" "$how: stacks that reach the start"
}
here() { gcc -g -O1 -no-pie "$@" -o "$tmp/p" "$tmp/p.c"; }

# Two segments of code, which have a page of the file in common.
right 'text apart' here -Wl,-Ttext=0x601234
[ "$(readelf -lW "$tmp/p" | awk '$1 == "LOAD" && / R E / { print substr($2, 1, length($2) - 3) }' | sort -u | wc -l)" = 1 ] ||
	fail "the segments share no page: this shows nothing: $(readelf -lW "$tmp/p")"
for linker in gold lld; do
	if command -v ld.$linker >"$tmp/where"; then right "$linker" here -fuse-ld=$linker; fi
done
right 'one segment' here -Wl,-z,noseparate-code
if command -v ld.lld >"$tmp/where"; then right 'lld, one segment' here -fuse-ld=lld -Wl,--no-rosegment; fi
exit 0

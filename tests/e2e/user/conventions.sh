#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions that are not called as C's are: ms_abi by gcc (which does not say it) and clang, optimised and not, with
# numbers, structs, more arguments than registers. A value is right, or the reason is said.
# needs: uprobes gcc
# beside: it compiles and starts programs, and waits for no clock
# truth: arguments, ms_abi | args.k of each function | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/ms.c" <<'C'
struct two { long a, b; };
struct three { int a, b, c; };
#define MS __attribute__((ms_abi, noinline))
volatile long sink;
MS int ints(int a, int b, int k) { sink += a - b; return k; }
MS int many(char a, _Bool b, double c, short d, int e, int k) { sink += a + b + d + e; return k + (int)c; }
MS int with_two(struct two s, int k) { sink += s.a; return k; }
MS long only_two(struct two s) { sink += s.b; return 1; }
static MS int with_three(struct three s, long double f, int k) { sink += s.c + (long)f; return k; }
MS struct two gives(int a, int k) { return (struct two){ a, k }; }
__attribute__((noinline)) int by_c(struct two s, int a, int k) { sink += s.a + a; return k; }
int main(void)
{
	struct two t = { 51, 52 };

	ints(1, 2, 7), many(1, 1, 2.5, 3, 4, 7), with_two(t, 7), only_two(t), by_c(t, 4, 7);
	with_three((struct three){ 1, 2, 3 }, 4, 7);
	return gives(1, 7).b != 7;
}
C
# holds PROBE EXPRESSION VALUE: the value, or a sentence that it cannot be read
holds() {
	timeout 20 "$DTX" -qn "uprobe:$tmp/ms:$1 { printf(\"%d\\n\", (int)($2)); }" -c "$tmp/ms" >"$tmp/out" 2>"$tmp/err"
	[ "$(grep . "$tmp/out")" = "$3" ] || grep -q "cannot be read.*\(convention\|optimised out\)" "$tmp/err" || fail "$cc, $1, $2: $(cat "$tmp/out" "$tmp/err")"
}
is() { dtx -qn "uprobe:$tmp/ms:$1 { printf(\"%d\\n\", (int)($2)); }" -c "$tmp/ms"; same "$3" "$(grep . "$tmp/out")" "$cc, $1, $2"; }
for cc in "gcc -O0" "gcc -O1" "gcc -O2" "clang -O0" "clang -O2"; do
	command -v "${cc%% *}" >/dev/null || continue
	# shellcheck disable=SC2086 # a command and its option
	$cc -g -w -o "$tmp/ms" "$tmp/ms.c" || fail "$cc"
	is ints:entry k 7
	is ints:entry arg2 7
	is by_c:entry k 7
	holds by_c:entry s.a 51
	is ints:return retval 7
	for f in many with_two with_three gives; do holds $f:entry k 7; done
	holds many:entry d 3
	holds with_two:entry s.a 51
	holds only_two:entry s.b 52
	holds with_three:entry s.c 3
	holds gives:return retval.b 7
done

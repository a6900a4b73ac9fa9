#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Conventions that clang has beside C's, arguments that it has elsewhere than gcc, and those of Free Pascal: a value is
# right, or the reason is said.
# needs: uprobes clang
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
# truth: arguments and results, regcall, vectorcall, swiftcall, preserve_most, preserve_none | args.k, retval | the program's own calls
# truth: arguments and results, Free Pascal | args.k of routines with results in memory, constant records, sets | the program's own calls
. "$(dirname "$0")/../lib.sh"

# holds WHAT PROGRAM, lines of input "PROBE | EXPRESSION | VALUE": each is the value, or a sentence that it cannot be read;
# after "!" it must be the value. All of them are one program of D, from which what is refused is taken out.
holds() {
	local i=0 n bad probe e want got
	awk -F' *[|] *' -v p="$2" '{ sub(/^! /, ""); printf "uprobe:%s:%s { printf(\"%d %%d\\n\", (int)(%s)); }\n", p, $1, NR, $2 }' >"$tmp/all.d" <<<"$3"
	cp "$tmp/all.d" "$tmp/some.d"
	until "$DTX" -q -e -s "$tmp/some.d" 2>"$tmp/err"; do
		bad=$(sed -nE 's/^[^:]*:([0-9]+):.*error: .*cannot be read.*: [a-zA-Z].*/\1/p' "$tmp/err")
		[ -n "$bad" ] || fail "$1: $(cat "$tmp/err")"
		for n in $bad; do sed -i "${n}s/.*//" "$tmp/some.d"; done
	done
	dtx -qs "$tmp/some.d" -c "$2"
	while IFS='|' read -r probe e want; do
		i=$((i + 1)) want=${want// /}
		got=$(sed -n "s/^$i //p" "$tmp/out")
		[ "$got" = "$want" ] || { [ "${probe:0:1}" != '!' ] && ! sed -n "${i}p" "$tmp/some.d" | grep -q .; } || fail "$1, $probe, $e: '$got'"
	done <<<"$3"
}

cat >"$tmp/conv.c" <<'C'
struct two { long a, b; };
struct three { long a, b, c; };
volatile long sink;
#define CC __attribute__((CONVENTION, noinline))
CC int ints(int a, int b, int k) __asm__("ints");
CC int many(char a, _Bool b, double c, short d, int e, int f, int g, int h, int k) __asm__("many");
CC int with_two(struct two s, int k) __asm__("with_two");
CC struct three gives(int a, int k) __asm__("gives");
CC int ints(int a, int b, int k) { sink += a - b; return k; }
CC int many(char a, _Bool b, double c, short d, int e, int f, int g, int h, int k) { sink += a + b + d + e + f + g + h; return k; }
CC int with_two(struct two s, int k) { sink += s.a; return k; }
CC struct three gives(int a, int k) { return (struct three){ a, 2, k }; }
int main(int argc, char **argv)
{
	struct two t = { 51, 52 };

	sink += ints(1, 2, 7 * argc) + many(1, 1, 2.5, -3, 4, 5, 6, 8, 7 * argc) + with_two(t, 7 * argc) + gives(1, 7 * argc).c;
	return 0;
}
C
calls='! ints:entry | k | 7
ints:return | retval | 7
many:entry | k | 7
many:entry | h | 8
many:entry | d | -3
with_two:entry | k | 7
with_two:entry | s.b | 52
gives:entry | k | 7
gives:return | retval.c | 7'
for convention in regcall vectorcall swiftcall preserve_most preserve_all preserve_none intel_ocl_bicc; do
	for level in 0 2; do
		clang -g -w -O$level -DCONVENTION=$convention -o "$tmp/conv" "$tmp/conv.c" 2>"$tmp/err" || continue
		holds "$convention -O$level" "$tmp/conv" "$calls"
	done
done

# A 16-byte number for which one register is left: clang's places differ from gcc's, and from each other by version. Variables
# that -fsanitize=address moves count from a register that the function has not set yet.
cat >"$tmp/odd.c" <<'C'
struct big { int x, y, z; long l[4]; };
volatile long sink;
__attribute__((noinline)) int wide(int a, int b, int c, int d, int e, __int128 x, int k, int l) { sink += x + a + b + c + d + e + l; return k; }
__attribute__((noinline)) int value(struct big v, int k) { sink += *(&v.x + k - 5); return k; }
int main(int argc, char **argv)
{
	wide(1, 2, 3, 4, 5, -6, 7 * argc, 8);
	value((struct big){ 1, 2, 3 }, 7 * argc);
	return 0;
}
C
for options in -O0 -O2 '-O0 -fsanitize=address' '-O1 -fsanitize=address'; do
	# shellcheck disable=SC2086 # options
	clang -g -w $options -o "$tmp/odd" "$tmp/odd.c" 2>/dev/null || continue
	holds "$options" "$tmp/odd" 'wide:entry | k | 7
wide:entry | l | 8
wide:entry | e | 5
value:entry | v.z | 3
value:entry | k | 7'
done

command -v fpc >/dev/null || exit 0
cat >"$tmp/shop.pas" <<'P'
program shop;
{$mode objfpc}{$H+}
type
  TBig = record a: array[0..4] of Int64; end;
  TPlace = function(q, k: LongInt): LongInt of object;
  TItem = class
    price: LongInt;
    function Cost(q, k: LongInt): LongInt;
  end;
var sum: Int64;
function ints(a, b, k: LongInt): LongInt; begin sum := sum + a - b; ints := k; end;
function constant(const s: TBig; k: LongInt): LongInt; begin sum := sum + s.a[4]; constant := k; end;
function value(s: TBig; k: LongInt): LongInt; begin sum := sum + s.a[4]; value := k; end;
function inset(s: shortstring; k: LongInt): LongInt; begin sum := sum + length(s); inset := k; end;
function text(a, k: LongInt): string; begin text := 'x'; sum := sum + a + k; end;
function big(a, k: LongInt): TBig; begin big.a[0] := a; big.a[4] := k; end;
function place(f: TPlace; k: LongInt): LongInt; begin sum := sum + f(5, k); place := k; end;
function TItem.Cost(q, k: LongInt): LongInt; begin sum := sum + q + price; Cost := k; end;
var b: TBig; i: TItem; n: LongInt;
begin
  n := 7 * (ParamCount + 1);
  b.a[4] := 55; i := TItem.Create; i.price := 11;
  sum := ints(1, 2, n) + constant(b, n) + value(b, n) + inset('abc', n) + length(text(1, n)) + big(1, n).a[4] + place(@i.Cost, n);
end.
P
for level in - 2; do
	(cd "$tmp" && fpc -v0 -gw3 -O$level shop.pas) >"$tmp/out" 2>&1 || fail "fpc: $(cat "$tmp/out")"
	holds "fpc -O$level" "$tmp/shop" '! P?SHOP_??_INTS*:entry | args.k | 7
! P?SHOP_??_INTS*:return | retval | 7
P?SHOP_??_CONSTANT*:entry | args.k | 7
P?SHOP_??_VALUE*:entry | args.k | 7
P?SHOP_??_INSET*:entry | args.k | 7
P?SHOP_??_TEXT*:entry | args.k | 7
P?SHOP_??_TEXT*:entry | args.a | 1
P?SHOP_??_BIG*:entry | args.k | 7
P?SHOP_??_BIG*:entry | args.a | 1
P?SHOP_??_BIG*:return | retval.a[4] | 7
P?SHOP_??_PLACE*:entry | args.k | 7
P?SHOP*_COST*:entry | args.q | 5'
	"$DTX" -e -n "uprobe:$tmp/shop:P?SHOP_??_TEXT*:return { trace(retval); }" 2>"$tmp/err" && fail "a string that is in memory of the caller is read"
	grep -q "cannot be read.*: Pascal has it in memory of the caller" "$tmp/err" || fail "text: $(cat "$tmp/err")"
done
exit 0

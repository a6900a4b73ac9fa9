#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Parameters of types that languages have beside C's: _BitInt, whose upper bits are whatever they are, bool vectors in a
# register, packs of C++, ranges of Ada.
# needs: uprobes gcc g++
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
# truth: parameters, packs of C++ templates | each of the pack by argN | the program's own calls
# truth: parameters, ranges of Ada | args.a, retval | the program's own calls
. "$(dirname "$0")/../lib.sh"

is() { dtx -qn "uprobe:$1:$2 { printf(\"%d\\n\", (int)($3)); }" -c "$1"; same "$4" "$(grep . "$tmp/out")" "$1, $2, $3"; }

cat >"$tmp/pack.cc" <<'C'
volatile long sink;
template<class... T> __attribute__((noinline)) long packed(int k, T... t) { return k + (0 + ... + (long)t); }
int main(int argc, char **argv) { sink = packed(7 * argc, 11, 'b', 13L); return 0; }
C
for options in -O0 -O2; do
	g++ -std=c++17 -g $options -o "$tmp/pack" "$tmp/pack.cc" || fail g++
	is "$tmp/pack" 'packed*:entry' k 7
	is "$tmp/pack" 'packed*:entry' arg1 11
	is "$tmp/pack" 'packed*:entry' arg2 98
	is "$tmp/pack" 'packed*:entry' 'args[3]' 13
done

if command -v gnatmake >/dev/null; then
	cat >"$tmp/shop.adb" <<'A'
with Ada.Command_Line;
procedure Shop is
   type Small is range -100 .. 100;
   Sum : Integer := 0;
   function Cost (A : Small; K : Integer) return Small;
   pragma No_Inline (Cost);
   function Cost (A : Small; K : Integer) return Small is
   begin
      Sum := Sum + Integer (A) + K;
      return A - Small (K);
   end Cost;
begin
   Sum := Integer (Cost (-5, 7 * (Ada.Command_Line.Argument_Count + 1)));
end Shop;
A
	(cd "$tmp" && gnatmake -q -g -O0 shop.adb) || fail gnatmake
	is "$tmp/shop" 'shop__cost*:entry' a -5
	is "$tmp/shop" 'shop__cost*:entry' k 7
	is "$tmp/shop" 'shop__cost*:return' retval -12
fi

cat >"$tmp/bits.c" <<'C'
typedef _Bool flags __attribute__((ext_vector_type(8)));
volatile long sink;
__attribute__((noinline)) int bits(unsigned _BitInt(37) x, int k) { sink += (long)x; return k; }
__attribute__((noinline)) int vector(flags x, int k) { sink += x[1]; return k; }
int main(int argc, char **argv) { return bits(0x1fffffffff, 7 * argc) + vector((flags){ 1, 0, 1 }, 7 * argc) != 14; }
C
for clang in clang clang-19; do
	for options in -O0 -O2; do
		$clang -w -g $options -o "$tmp/bits" "$tmp/bits.c" 2>/dev/null || continue
		is "$tmp/bits" bits:entry k 7
		is "$tmp/bits" vector:entry k 7
		refused "cannot be cast to" -e -qn "uprobe:$tmp/bits:bits:entry { trace((int)(x)); }"
		refused "cannot be read" -e -qn "uprobe:$tmp/bits:vector:entry { trace((int)(x[0])); }"
	done
done
exit 0

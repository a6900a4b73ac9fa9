#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes g++
#
# Names of C++ in descriptions are written as in the source: ns::f, patterns of them, and in quotes with parameters. A name means its
# clones, too, but not the cold part.
. "$(dirname "$0")/../lib.sh"

g++ -x c++ -O2 -o "$tmp/prog" - <<'END' || fail "cannot compile"
#include <cstdlib>
static volatile int sum;
namespace shop {
namespace old { __attribute__((noipa)) int price(int n) { sum += n; return n; } }
__attribute__((noinline)) int price(int n) { if (n < 0) { sum = 0; abort(); } sum += n; return n; }
__attribute__((noipa)) int price(long n) { sum += n; return 1; }
}
int main(int argc, char **argv) { return shop::price(argc + 1) + shop::price(7L) + shop::old::price(9) - argc - 11; }
END
fires() { dtx -qn "$1 { printf(\"%s \", probefunc); }" -c "$tmp/prog"; same "$2" "$(sed 's/ *$//' "$tmp/out" | grep .)" "$1: $(cat "$tmp/err")"; }
fires 'pid$target:prog:shop::price:entry' 'shop::price shop::price'
fires 'pid$target:prog:shop::old::price:entry' shop::old::price
fires "uprobe:$tmp/prog:shop::old::price" shop::old::price
fires "uretprobe:$tmp/prog:shop::old::price" shop::old::price
fires 'pid$target:prog:shop::old*:entry' shop::old::price
fires 'pid$target:prog:shop::*:entry' 'shop::price shop::price shop::old::price'
fires 'pid$target:prog:"shop::price(long)":entry' shop::price
dtx -ln 'pid$target:prog:shop::price:entry' -c "$tmp/prog"
same 2 "$(grep -c 'shop::price' "$tmp/out")" "listed: $(cat "$tmp/out")"
if "$DTX" -ln 'pid$target:prog:shop::price:entry:more' -c "$tmp/prog" >"$tmp/out" 2>"$tmp/err"; then fail 'five fields are accepted'; fi
grep -q 'at most 4 fields' "$tmp/err" || fail "five fields: $(cat "$tmp/err")"
"$DTX" --complete -- -n "uprobe:$tmp/prog:shop::o" >"$tmp/out"
grep -q "^uprobe:$tmp/prog:shop::old::price:" "$tmp/out" || fail "completed: $(cat "$tmp/out")"
"$DTX" --complete -- -n "uprobe:$tmp/prog:_ZN4shop3o" >"$tmp/out"
same "uprobe:$tmp/prog:_ZN4shop3old5priceEi:" "$(grep '^uprobe' "$tmp/out" | cut -f 1)" 'a mangled name is completed'
fires "uprobe:$tmp/prog:_ZN4shop3old5priceEi:entry" shop::old::price

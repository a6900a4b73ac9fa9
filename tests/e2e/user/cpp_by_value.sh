#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Classes that C++ passes and returns by address although the source says by value, because they have a copying constructor of their own
# or none at all; pointers to member functions, which take two registers.
# needs: uprobes g++
# beside: it compiles and starts programs, and waits for no clock
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.cc" <<'C'
#include <utility>
#define FAR __attribute__((noinline))
struct copied { int a; copied(int x) : a(x) {} copied(const copied &o) : a(o.a) {} };
struct moved { int a; moved(int x) : a(x) {} moved(moved &&o) : a(o.a) {} };
template <typename T> struct box { T a; box(T x) : a(x) {} box(const box &o) : a(o.a) {} };
struct never { int a; never(int x) : a(x) {} never(const never &) = delete; };
struct holds { box<int> in; holds(int x) : in(x) {} };
struct plain { int a; plain(int x) : a(x) {} plain(const plain &) = default; };
struct once { int a; once(int x) : a(x) {} once(const once &) = delete; once(once &&) = default; };
struct base { int n; int f(int k) const { return n + k; } };
extern "C" {
FAR int by_copy(copied c, int z) { return c.a + z; }
FAR int by_move(moved c, int z) { return c.a + z; }
FAR int by_box(box<int> c, int z) { return c.a + z; }
FAR int by_never(never c, int z) { return c.a + z; }
FAR int by_holds(holds c, int z) { return c.in.a + z; }
FAR int by_plain(plain c, int z) { return c.a + z; }
FAR int by_once(once c, int z) { return c.a + z; }
FAR int by_member(int (base::*f)(int) const, int base::*d, int z) { base b = { 5 }; return (b.*f)(z) + b.*d; }
}
FAR copied make(int k) { return copied(k + 100); }
FAR plain ready(int k) { return plain(k + 200); }
int main()
{
	box<int> b(3);
	copied c(1);
	holds h(5);
	once o(7);
	plain p(6);

	return by_copy(c, 11) + by_move(moved(2), 12) + by_box(b, 13) + by_never(never(4), 14) + by_holds(h, 15) + by_plain(p, 16) +
	       by_once(std::move(o), 17) + by_member(&base::f, &base::n, 18) + make(19).a + ready(20).a == 0;
}
C
# want WHAT VALUE CLAUSE
want() {
	dtx -qn "uprobe:$tmp/shop:$3" -c "$tmp/shop"
	same "$2" "$(grep . "$tmp/out")" "$1: $3"
}
for how in "g++ -std=c++17 -O0" "g++ -std=c++17 -O1 -fno-ipa-sra -fno-ipa-cp"; do
	# shellcheck disable=SC2086 # options
	$how -g -o "$tmp/shop" "$tmp/shop.cc" || fail "$how"
	for f in "copy 1 11" "move 2 12" "box 3 13" "never 4 14"; do
		# shellcheck disable=SC2086 # words
		set -- $f
		want "$how" "$2 $3" "by_$1:entry { printf(\"%d %d\\n\", c->a, z); }"
	done
	want "$how" "5 15" 'by_holds:entry { printf("%d %d\n", c->in.a, z); }'
	want "$how" "6 16" 'by_plain:entry { printf("%d %d\n", c.a, z); }'
	want "$how" "7 17" 'by_once:entry { printf("%d %d\n", c.a, z); }'
	want "$how" "1 0 0 18" 'by_member:entry { printf("%d %d %d %d\n", f.ptr != 0, f.adj, d, z); }'
	want "$how" 19 'make:entry { printf("%d\n", k); }'
	want "$how" 119 'make:return { printf("%d\n", retval->a); }'
	want "$how" 220 'ready:return { printf("%d\n", retval.a); }'
done
exit 0

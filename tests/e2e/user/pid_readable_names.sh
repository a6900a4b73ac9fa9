#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes g++
#
# Functions of C++ by the name in the source: patterns, escaped and quoted colons, overloads (one of them by its
# parameters) and templates.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.cc" <<'END'
namespace shop {
struct basket {
	int n;
	int add(int k);
	int add(long k, int price);
	template <class T> int with(T t);
};
__attribute__((noinline)) int basket::add(int k) { n += k; return n; }
__attribute__((noinline)) int basket::add(long k, int price) { n += k * price; return n; }
template <class T> __attribute__((noinline)) int basket::with(T t) { n += t; return n; }
}
int main()
{
	shop::basket b{0};
	b.add(1);
	b.add(2);
	b.add(3L, 2);
	return b.with(7) != 16;
}
END
g++ -O1 -g "$tmp/shop.cc" -o "$tmp/shop" || fail "g++"

adds=$'shop::basket::add 1\nshop::basket::add 3\nshop::basket::add 9'
ints=$'shop::basket::add 1\nshop::basket::add 3' longs='shop::basket::add 9'
all=$adds$'\nshop::basket::with<int> 16'
say='{ printf("%s %d\n", probefunc, retval); }'
while IFS='|' read -r probe want; do
	dtx -qn "$probe $say" -c "$tmp/shop"
	same "${!want}" "$(grep . "$tmp/out")" "$probe: not its calls"
done <<END
pid\$target:a.out:shop\:\:basket\:\:add:return|adds
pid\$target:shop:"shop::basket::add":return|adds
pid\$target:a.out:*basket*:return|all
uretprobe:$tmp/shop:"shop::basket::add"|adds
uretprobe:$tmp/shop:"shop::basket::add(int)"|ints
pid\$target:a.out:"shop::basket::add(long, int)":return|longs
END

# A stack shows the same names.
dtx -qn 'pid$target:a.out:*with*:entry { @[ufunc(arg0 ? uregs[R_PC] : 0), umod(uregs[R_PC])] = count(); ustack(2); }' -c "$tmp/shop"
grep -q '^ *shop`shop::basket::with<int> *shop *1$' "$tmp/out" || { cat "$tmp/out" >&2; fail "ufunc() and umod()"; }
grep -q '^ *shop`shop::basket::with<int>$' "$tmp/out" || { cat "$tmp/out" >&2; fail "ustack()"; }

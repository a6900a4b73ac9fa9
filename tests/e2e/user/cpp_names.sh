#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What a C++ programmer writes: templates without their arguments, a part of a name, members of the method's
# object, a parameter that has the name of a built-in variable.
# needs: uprobes g++
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/shop.cc" <<'C'
struct Shop {
	int sold = 0;
	__attribute__((noinline)) int sell(int id, int n) { sold += n; return sold; }
	template <class T> __attribute__((noinline)) T twice(T v) { sold++; return v + v; }
	__attribute__((noinline)) bool operator<(const Shop &other) { return sold++ < other.sold; }
};
template <class A> struct Box { template <class B> __attribute__((noinline)) int put(A a, B b) { return a + b; } };
int main()
{
	Shop s;
	Box<long> b;
	return !(s.sell(1, 2) + s.sell(2, 3) + s.twice(4) + (int)s.twice(5L) + b.put<char>(1, 'a') + (s < s));
}
C
g++ -O0 -g "$tmp/shop.cc" -o "$tmp/shop" || fail "g++"

while IFS='|' read -r name want; do
	dtx -qn "uprobe:$tmp/shop:$name:entry { @[probefunc] = count(); }" -c "$tmp/shop"
	same "$want" "$(awk '/::/ { print $NF }' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')" "$name: calls"
done <<'END'
Shop::twice|1 1
Shop::tw*|1 1
"Shop::twice<long>"|1
Box::put|1
Shop::"operator<"|1
END

refused "near it: uprobe:$tmp/shop:Shop::sell:entry" -qn "uprobe:$tmp/shop:sel:entry { }" -c "$tmp/shop"
refused 'dtx -l lists the probes' -qn "uprobe:$tmp/shop:nosuch*:entry { }" -c "$tmp/shop"
refused 'quote a name with such characters' -qn "uprobe:$tmp/shop:Shop::twice<int>:entry { }" -c "$tmp/shop"
refused 'args.this->sold' -qn "uprobe:$tmp/shop:Shop::sell:entry { trace(this->sold); }" -c "$tmp/shop"

dtx -qn "uprobe:$tmp/shop:Shop::sell:entry { printf(\"%d %d\\n\", id, args.id); }" -c "$tmp/shop"
grep -q "'id' is the built-in variable" "$tmp/err" || fail "id: $(cat "$tmp/err")"
same '1 2' "$(awk 'NF { print $2 }' "$tmp/out" | tr '\n' ' ' | sed 's/ $//')" "args.id"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# One function under several names (the constructors C1 and C2 of C++, aliases, instances of templates that the linker has
# joined) is one probe: counted once, whatever name, pattern or list found it.
# needs: uprobes gcc g++
# truth: calls of a function with several names | count() by each name, by patterns and by lists | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/ct.cc" <<'C'
struct A { int v; A(int n); virtual ~A(); };
__attribute__((noinline)) A::A(int n) : v(n) { __asm__ volatile(""); }
__attribute__((noinline)) A::~A() { __asm__ volatile(""); }
int main() { int s = 0; for (int i = 0; i < 5; i++) { A a(i); s += a.v; } return s == 77; }
C
cat >"$tmp/al.c" <<'C'
__attribute__((noipa)) int sell(int n) { return n + 1; }
int second(int n) __attribute__((alias("sell")));
int _third(int n) __attribute__((alias("sell")));
int main(void) { return sell(1) + second(2) + second(3) + _third(4) + _third(5) == 77; }
C
g++ -g -O1 -o "$tmp/ct" "$tmp/ct.cc" && gcc -g -O1 -o "$tmp/al" "$tmp/al.c" || fail "cannot compile"
five() {
	dtx -qn "$2 { @ = count(); }" -c "$tmp/$1"
	same 5 "$(awk 'NF { print $1 }' "$tmp/out")" "$2"
}
C=uprobe:$tmp/ct
for p in "$C:A::A" "$C:A::~A" "$C:A::A:entry" "$C:A::A:return" "$C:\"A::A(int)\"" 'pid$target:a.out:A??A:entry' 'pid$target:a.out:A::A:entry' "$C:_ZN1AC1Ei:entry" \
	"$C:_ZN1AC?Ei:entry" "$C:_ZN1AC1Ei:entry,$C:_ZN1AC2Ei:entry" "$C:A::A:entry,$C:A??A:entry" 'pid$target:a.out:_ZN1AC1Ei:entry,pid$target:a.out:A::A:entry'; do
	five ct "$p"
done
U=uprobe:$tmp/al
for p in "$U:sell" "$U:second" "$U:_third" "$U:sell:entry,$U:second:entry,$U:_third:entry" "$U:sell:return,$U:_third:return" "$U:se*:entry"; do five al "$p"; done

# Clauses by two names are two clauses of one probe.
dtx -qn "$U:sell:entry { n++; } $U:second:entry { m++; } END { printf(\"%d %d\\n\", n, m); }" -c "$tmp/al"
same '5 5' "$(grep . "$tmp/out")" "two clauses"
same 1 "$("$DTX" -ln "$U:sell:entry,$U:second:entry" | sed 1d | grep -c .)" "listed"

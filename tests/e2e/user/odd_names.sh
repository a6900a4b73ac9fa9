#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Operators of C++ in names of functions; parameters that have the names of D's words; functions of another object.
# needs: uprobes g++ gcc
# beside: it compiles and starts programs, and waits for no clock
# truth: operators of C++ | count() by name, with and without :entry | the program's own calls
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/op.cc" <<'C'
#define OWN __attribute__((noinline))
struct V { int x; V operator+(const V &o) const; int operator()(int n) const; V &operator+=(int n); V &operator++(); int operator[](int n) const; };
OWN V V::operator+(const V &o) const { return V{ x + o.x }; }
OWN int V::operator()(int n) const { return x * n; }
OWN V &V::operator+=(int n) { x += n; return *this; }
OWN V &V::operator++() { x++; return *this; }
OWN int V::operator[](int n) const { return x - n; }
int main() { V a{ 1 }, b{ 2 }; int s = 0; for (int i = 0; i < 5; i++) { V c = a + b; c += i; ++c; s += c(2) + c[1]; } return s == 0; }
C
g++ -g -O1 -o "$tmp/op" "$tmp/op.cc" || fail g++
for f in 'V::operator+' '"V::operator+"' '"V::operator+(V const&) const"' '"V::operator+="' 'V::operator++' '"V::operator()"' '"V::operator[]"'; do
	for p in "uprobe:$tmp/op:$f" "uprobe:$tmp/op:$f:entry" "pid\$target:a.out:$f:entry"; do
		dtx -qn "$p { @ = count(); }" -c "$tmp/op"
		same 5 "$(awk 'NF { print $1 }' "$tmp/out")" "$p"
	done
done

cat >"$tmp/pv.c" <<'C'
#include <stdio.h>
struct box { int counter; };
__attribute__((noinline)) int add(int counter, int translator) { return printf("\n") + counter + translator; }
__attribute__((noinline)) int get(struct box *self) { return printf("\n") + self->counter; }
int main(void) { return add(5, 7) + get(&(struct box){ 3 }) == 0; }
C
gcc -g -O0 -o "$tmp/pv" "$tmp/pv.c" || fail gcc
for word in counter translator; do
	"$DTX" -qn "uprobe:$tmp/pv:add:entry { trace($word); }" 2>"$tmp/err" && fail "$word is a word of D"
	grep -q "it is a word of D; a parameter of this name is args.NAME" "$tmp/err" || fail "$word: $(cat "$tmp/err")"
done
dtx -qn "uprobe:$tmp/pv:add:entry { printf(\"%d %d\\n\", args.counter, args.translator); }" -c "$tmp/pv"
same '5 7' "$(grep . "$tmp/out")" "args.NAME"
"$DTX" -qn "uprobe:$tmp/pv:get:entry { trace(self->counter); }" 2>"$tmp/err" && fail "self is a word of D"
grep -q "the parameter of this name is args.self: args.self->counter" "$tmp/err" || fail "self: $(cat "$tmp/err")"
dtx -qn "uprobe:$tmp/pv:get:entry { trace(args.self->counter); }" -c "$tmp/pv"
same 3 "$(awk 'NF { print $1 }' "$tmp/out")" "args.self->counter"

for p in "uprobe:$tmp/pv:printf" "uretprobe:$tmp/pv:printf" "uprobe:$tmp/pv:printf:entry" 'pid$target:a.out:printf:entry'; do
	"$DTX" -qn "$p { }" -c "$tmp/pv" 2>"$tmp/err" >"$tmp/out" && fail "$p is in libc"
	grep -q "'printf' is in libc.so.6, write uprobe:libc.so.6:printf" "$tmp/err" || fail "$p: $(cat "$tmp/err")"
done

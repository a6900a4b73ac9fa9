#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc uprobes
# truth: argN of functions of programs behind the last one | it is told, where debugging information knows the parameters | the source
#
# A number behind the last argument is whatever was in the register. Not told: variadic functions, main() (which is given three), programs
# without debugging information.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/f.c" <<'E2'
#include <stdarg.h>
struct big { long a[4]; };
#define OUT __attribute__((noinline, noclone))
OUT int two(int a, int b) { return a + b; }
OUT int none(void) { __asm__ volatile(""); return 3; }
OUT int many(int n, ...) { va_list v; va_start(v, n); int r = va_arg(v, int); va_end(v); return r + n; }
OUT struct big large(int a) { return (struct big){ { a } }; }
OUT int old(a, b) int a; int b; { return a * b; }
int main(void) { return two(1, 2) + none() + many(1, 2) + old(3, 4) + (int)large(5).a[0] != 26; }
E2
gcc -std=gnu89 -g -O1 -o "$tmp/f" "$tmp/f.c" || fail 'gcc'
gcc -std=gnu89 -O1 -o "$tmp/bare" "$tmp/f.c" || fail 'gcc'

# told FUNCTION NAME N WORDS: the warning for argN; WORDS '': none.
told() {
	"$DTX" -e -n "pid\$target:${file:-f}:$1:$2 { trace(arg$3); }" -c "$tmp/${file:-f}" >"$tmp/out" 2>&1 || fail "$*: $(cat "$tmp/out")"
	if [ -n "$4" ]; then grep -qE "pid[0-9]*:f:$1:$2 ?$4" "$tmp/out" || fail "$*: not told: $(cat "$tmp/out")"; fi
	[ -n "$4" ] || ! grep 'means nothing' "$tmp/out" || fail "$*: told falsely"
}
told two entry 2 'is arg1: arg2 means nothing there'
told two entry 1 ''
told none entry 0 'has no arguments: arg0 means nothing there'
told many entry 3 ''
told large entry 1 'is arg0: arg1 means nothing there'
told large entry 0 ''
told old entry 2 'is arg1: arg2 means nothing there'
told main entry 2 ''
told two return 2 'is arg1: arg2 means nothing there'
told two return 1 ''
file=bare told two entry 2 ''
dtx -qn 'pid$target:f:two:entry, pid$target:f:old:entry, pid$target:f:many:entry { trace(arg2); }' -c "$tmp/f"
if grep 'means nothing' "$tmp/err"; then fail 'one of the functions takes more'; fi

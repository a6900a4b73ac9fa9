#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# Names of a process's functions: symbols of one address are one probe, unless one is named; names with dots are matched
# by patterns, but not what the optimiser made of a function; a pattern in the provider's name; everything of an object.
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/names.c" <<'END'
__attribute__((noinline)) int foo(int x) { __asm__ volatile(""); return x + 1; }
int _foo(int) __attribute__((alias("foo")));
int __foo(int) __attribute__((alias("foo")));
int fib(int) __asm__("main.fib"), part(int) __asm__("foo.part.0");
__attribute__((noinline)) int fib(int x) { __asm__ volatile(""); return x; }
__attribute__((noinline)) int part(int x) { __asm__ volatile("nop"); return x; }
int main(void) { return foo(1) + fib(2) + part(3) - 7 + _foo(0); }
END
gcc -O1 -o "$tmp/names" "$tmp/names.c" || fail 'the program is not compiled'
# shellcheck disable=SC2016 # $target is D's
counted() {
	"$DTX" -q -n "$1"' { @[probefunc] = count(); }' -c "$tmp/names" >"$tmp/out" 2>"$tmp/err"
	grep . "$tmp/out" | awk '{ print $1, $2 }' | sort | paste -sd ' '
}
same 'foo 2' "$(counted 'pid$target:names:*foo*:entry')" 'aliases by a pattern'
same '_foo 2' "$(counted 'pid$target:names:_foo:entry')" 'an alias by its name'
same '_foo 2' "$(counted 'pid$target:names:_*foo:entry')" 'of two the one with fewer underscores'
same 'main.fib 1' "$(counted 'pid$target:names:*fib:entry')" 'a name with a dot'
same 'foo.part.0 1' "$(counted 'pid$target:names:foo.part.0:entry')" 'part of a function, by its name'
same 'main 1' "$(counted 'p*d$target:names:main:entry')" 'a pattern in the provider'
same 'main 1' "$(counted '*$target:names:main:entry')" 'a shorter one'

kinds() { "$DTX" -ln "$1" -c "$tmp/names" | awk '$4 == "foo" { print $5 }' | grep -c "$2"; }
same '1 1' "$(kinds 'pid$target:names::' entry) $(kinds 'pid$target:names::' return)" 'entries and returns of an object'
[ "$(kinds 'pid$target:names::' '^[0-9a-f]*$')" -gt 1 ] || fail 'pidN:OBJECT:: has no places inside of functions'
same "$("$DTX" -ln 'pid$target:names:foo:' -c "$tmp/names" | wc -l)" "$(($(kinds 'pid$target:names::' .) + 1))" 'the same as for one function'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# One program each in C, C++, Rust and Go: calls, returns deeper than the kernel's own return probes go, what is left by longjmp, an
# exception or a panic, arguments and results; and all functions of the program probed change neither output nor status.
# DTX_BUILT=FOLDER: the programs are there or are left there, so that they need not be built in a guest:
#   DTX_BUILT=/tmp/built tests/run user/four_languages.sh
#   DTX_BUILT=/tmp/built DTX_GUEST=5.10 tests/vm/run 5.10 tests/run user/four_languages.sh
# needs: uprobes gcc g++
# timeout: 60
# truth: C, C++, Rust, Go | calls, returns, arguments and results, 100 calls deep and unwound | the program's own calls
# truth: C, C++, Rust, Go | output and status with all functions of the program probed | the same without dtx
. "$(dirname "$0")/../lib.sh"

at=${DTX_BUILT:-$tmp}
mkdir -p "$at"
cat >"$tmp/c.c" <<'C'
#include <setjmp.h>
#include <stdio.h>
struct pair { int a; long b; };
static jmp_buf env;
__attribute__((noipa)) long deep(int n) { long r = n ? deep(n - 1) + 1 : 1000; __asm__ volatile("" : "+r"(r)); return r; }
__attribute__((noipa)) int mark(struct pair p, short s, const char *text, int k) { return -k; }
__attribute__((noipa)) int leaves(int n) { if (n % 2) longjmp(env, n); return n; }
int main(void)
{
	volatile int sum = 0;
	for (volatile int i = 0; i < 6; i++)
		sum += setjmp(env) ? 100 : leaves(i);
	printf("%d %ld %d\n", sum, deep(100), mark((struct pair){ -3, 4 }, -5, "abc", 42));
	return 3;
}
C
cat >"$tmp/cc.cc" <<'C'
#include <cstdio>
#include <stdexcept>
#include <string>
struct pair { int a; long b; };
__attribute__((noipa)) long deep(int n) { long r = n ? deep(n - 1) + 1 : 1000; __asm__ volatile("" : "+r"(r)); return r; }
struct taker { int base; __attribute__((noipa)) int mark(std::string s, pair p, int k) { return -k; } };
__attribute__((noipa)) int leaves(int n) { std::string held(n + 40, 'x'); if (n % 2) throw std::runtime_error(held); return n; }
int main()
{
	int sum = 0;
	for (int i = 0; i < 6; i++)
		try { sum += leaves(i); } catch (std::exception &) { sum += 100; }
	taker t{ 7 };
	printf("%d %ld %d\n", sum, deep(100), t.mark("abc", { -3, 4 }, 42));
	return 3;
}
C
cat >"$tmp/rust.rs" <<'C'
use std::hint::black_box as seen;
use std::panic;
pub struct Pair { a: i32, b: i64 }
#[inline(never)] #[no_mangle] pub fn deep(n: i32) -> i64 { if n > 0 { seen(deep(seen(n) - 1)) + 1 } else { 1000 } }
#[inline(never)] #[no_mangle] pub fn mark(s: String, u: (), p: Pair, k: i32) -> i32 { seen((&s, &p, u)); -k }
#[inline(never)] #[no_mangle] pub fn leaves(n: i32) -> i32 { let held = seen(vec![n; 40]); if n % 2 == 1 { panic!("odd") } held[0] }
fn main() {
    panic::set_hook(Box::new(|_| {}));
    let mut sum = 0;
    for i in 0..6 { sum += panic::catch_unwind(|| leaves(seen(i))).unwrap_or(100); }
    println!("{} {} {}", sum, deep(seen(100)), mark(String::from("abc"), (), Pair { a: -3, b: 4 }, seen(42)));
    std::process::exit(3);
}
C
cat >"$tmp/go.go" <<'C'
package main

import (
	"fmt"
	"os"
)

type pair struct {
	a int32
	b int64
}

//go:noinline
func deep(n int) int64 {
	var room [300]byte
	room[n] = 1
	if n > 0 {
		return deep(n-1) + int64(room[n])
	}
	return 1000
}

//go:noinline
func mark(s string, p pair, k int) int { return -k }

//go:noinline
func leaves(n int) int {
	if n%2 == 1 {
		panic("odd")
	}
	return n
}

func try(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = 100
		}
	}()
	return leaves(n)
}

func main() {
	sum := 0
	for i := 0; i < 6; i++ {
		sum += try(i)
	}
	c := make(chan int64)
	go func() { c <- deep(100) }()
	fmt.Println(sum, <-c, mark("abc", pair{-3, 4}, 42))
	os.Exit(3)
}
C

built() { # NAME COMMAND…: builds it, if it is not there; false: it cannot be
	[ -x "$at/$1" ] || { command -v "$2" >/dev/null && "${@:2}" 2>"$tmp/built"; }
}

# check NAME PREFIX FIELDS WANTED: its functions are PREFIX and deep, mark, leaves; FIELDS of mark's arguments are printed
check() {
	local p=$at/$1 f="uprobe:$at/$1:$2" program='' name
	for name in deep mark leaves; do
		program+="$f$name:entry { @[\"$name entry\"] = sum(1); } $f$name:return { @[\"$name return\"] = sum(1); } "
	done
	program+="${f}mark:entry { printf(\"=mark $3); } ${f}mark:return { @[\"mark gives\"] = sum((int)arg1); } "
	program+="${f}deep:entry { @[\"deep's n\"] = sum((int)args[0]); } ${f}deep:return { @[\"deep gives\"] = sum((long)arg1); } "
	dtx -qn "$program END { printa(\"=%s %@d\\n\", @); clear(@); }" -c "$p"
	same "$(printf '=%s\n' "deep entry 101" "deep return 101" "leaves entry 6" "leaves return 3" "mark entry 1" "mark return 1" \
		"deep's n 5050" "deep gives 106050" "mark gives -42" "mark $4" | sort)" "$(grep '^=' "$tmp/out" | sort)" "$1"
	# shellcheck disable=SC2016
	dtx -n 'pid$target:a.out::entry,pid$target:a.out::return { @ = count(); }' -c "$p"
	grep -qx "306 1100 -42" "$tmp/out" || fail "$1: other output: $(cat "$tmp/out" "$tmp/err")"
	grep -q 'exited with status 3' "$tmp/err" || fail "$1: another status: $(cat "$tmp/err")"
}

built c gcc -g -O2 -o "$at/c" "$tmp/c.c" || fail gcc
check c '' '%d %d %d %d\n", args.p.a, args.p.b, args.s, args.k' '-3 4 -5 42'
built cc g++ -g -O2 -o "$at/cc" "$tmp/cc.cc" || fail g++
check cc '*' '%d %d %d %d\n", args.this->base, args.p.a, args.p.b, args.k' '7 -3 4 42'
missing=
if built rust rustc -A warnings -g -O -o "$at/rust" "$tmp/rust.rs"; then
	check rust '' '%d %d %d\n", args.p.a, args.p.b, args.k' '-3 4 42'
else
	missing=Rust
fi
export GO111MODULE=off GOCACHE=${GOCACHE:-/tmp/go-cache}
if built go go build -o "$at/go" "$tmp/go.go"; then
	check go main. '%d %d\n", args.s.len, args.k' '3 42'
else
	missing+="${missing:+ and }Go"
fi
[ -z "$missing" ] || skip "no $missing: the rest is right"
exit 0

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Functions of Go: arguments by name and type in Go's own registers, strings and slices among them; returns without a
# return probe, which would end the program when a stack is moved; refused where no debugging information says where they are.
# needs: uprobes go
# timeout: 90
. "$(dirname "$0")/../lib.sh"

cat >"$tmp/prog.go" <<'GO'
package main

import (
	"fmt"
	"os"
)

type Item struct {
	Price int
	Count int64
}

//go:noinline
func sell(n int, it *Item, small uint8, name string, more []int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += it.Price * i
	}
	if sum > 100 {
		return sum + len(name)
	}
	return sum + int(small) + len(more)
}

//go:noinline
func pair(a, b int) (int, error) { return a * b, nil }

// The stack grows, and is moved, while the function's frames are on it.
//
//go:noinline
func deep(n int) int {
	var room [128]int
	room[n%128] = n
	if n == 0 {
		return room[0]
	}
	return deep(n-1) + room[n%128]
}

func main() {
	it := &Item{10, 3}
	fmt.Fprintln(os.Stderr, sell(3, it, 7, "pen", []int{1, 2}), sell(9, it, 8, "book", nil))
	a, _ := pair(6, 7)
	fmt.Fprintln(os.Stderr, a, deep(2000))
}
GO
export HOME=$tmp GOCACHE=$tmp/cache GO111MODULE=off
go build -o "$tmp/prog" "$tmp/prog.go" || fail "go build"
go build -ldflags=-w -o "$tmp/bare" "$tmp/prog.go" || fail "go build -ldflags=-w"

# expect WANT CLAUSES (P stands for uprobe:PROGRAM)
expect() {
	dtx -qn "${2//P:/uprobe:$tmp/prog:}" -c "$tmp/prog"
	[ "$(cat "$tmp/out")" = "$1" ] || fail "$2: $(cat "$tmp/out" "$tmp/err")"
}
expect "3 10 3 7 2|9 10 3 8 0|" 'P:main.sell:entry { printf("%d %d %d %d %d|", n, it->Price, it->Count, small, more.len); }'
expect "pen book " 'P:main.sell:entry { printf("%s ", stringof(copyin((uintptr_t)name.str, name.len))); }'
expect "3 3 9 9 " 'P:main.sell:entry { printf("%d %d ", arg0, args[0]); }'
expect "39 364 " 'P:main.sell:return { printf("%d ", retval); }'
expect "6 7 back" 'P:main.pair:entry { printf("%d %d ", a, b); } P:main.pair:return { printf("back"); }'
# Globs match names with dots; the moved stack ends nobody.  (A function that needs a larger stack is entered again.)
expect "2001" 'P:main.dee*:return { @ = count(); } END { printa("%@d", @); }'
# The entry is where the stack is found to be large enough: between the growth and a new begin another thread may take over. The code
# that enlarges it comes after a call that never returns (a wrong index).
dtx -qn "uprobe:$tmp/prog:main.deep:entry { @[uaddr(uregs[R_RIP])] = count(); @n = sum(n); }" -c "$tmp/prog"
tr -s ' \n' ' ' <"$tmp/out" | grep -qE '^ prog`main\.deep\+0x[0-9a-f]+ 2001 2001000 $' || fail "entries of deep: $(cat "$tmp/out")"
grep -q '^42 2001000$' "$tmp/err" || fail "the program did not end well: $(cat "$tmp/err")"
# What the runtime does on another stack has the stack of the function for which it does it.
dtx -qn "uprobe:$tmp/prog:runtime.copystack:entry { ustack(); }" -c "$tmp/prog"
tr '\n' ' ' <"$tmp/out" | grep -qE 'runtime\.newstack[^ ]* +prog`runtime\.morestack[^ ]* .*prog`main\.deep.*prog`main\.main[^ ]* +prog`runtime\.main' ||
	fail "a stack that grows: $(cat "$tmp/out")"
if grep incomplete "$tmp/out" | grep -v 'more frames than option'; then fail 'a stack is not whole'; fi

refused "the function has several results" -n "uprobe:$tmp/prog:main.pair:return { trace(retval); }" -c "$tmp/prog"
refused "no debugging information says where its arguments are" -n "uprobe:$tmp/bare:main.sell:entry { trace(arg0); }" -c "$tmp/bare"
refused "no debugging information says where its arguments are" -n "uprobe:$tmp/bare:main.sell:return { trace(arg1); }" -c "$tmp/bare"
exit 0

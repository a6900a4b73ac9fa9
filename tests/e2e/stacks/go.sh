#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes go
# timeout: 90
#
# Programs of Go: stacks reach the start from the vDSO, from C, and from Go that C has called; also without symbols, where names come from
# what Go itself keeps.
. "$(dirname "$0")/../lib.sh"

export GO111MODULE=off GOCACHE="$tmp/cache" HOME="$tmp"
cat >"$tmp/now.go" <<'END_GO'
package main

import "time"

var sum int64

//go:noinline
func hot(n int) { for i := 0; i < n; i++ { sum += time.Now().UnixNano() } }

func main() { for { hot(1000) } }
END_GO
cat >"$tmp/both.go" <<'END_GO'
package main

/*
extern void goBack(int);
static volatile long sum;
static void __attribute__((noinline)) c_leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
static void __attribute__((noinline)) c_outer(int n) { c_leaf(n); goBack(n); sum++; }
*/
import "C"

var sum int

//go:noinline
func work(n int) { for i := 0; i < n; i++ { sum += i } }

//export goBack
func goBack(n C.int) { work(int(n)) }

//go:noinline
func hot() { C.c_outer(20000) }

func main() { for { hot() } }
END_GO
build() { (cd "$tmp" && go build "$@") 2>"$tmp/err"; }
build -o now now.go && build -ldflags '-s -w' -o stripped now.go || skip "go does not build: $(head -n 1 "$tmp/err")"

# sampled PROGRAM FUNCTION: the stacks with the function, once it was seen 20 times with a table; one a line, and what is missing.
sampled() {
	dtx -q -n 'profile-499hz /pid == $target && arg1/ { @[ustack()] = count(); } tick-1500ms { exit(0); }' -c "$tmp/$1"
	awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); sub(/[.]abi0/, ""); line = line " " $1 } /^ +[^`]+[+]0x/ { line = line " -" }
		/being made/ { line = "" } /incomplete/ { line = line " ?" } /^ +[0-9]+$/ { if (line != "") print $1, line; line = "" }' "$tmp/out" |
		grep -E " $2 " >"$tmp/lines"
}
# share PATTERN: of all samples in $tmp/lines 98 % match it.
share() {
	awk -v re="$1" '{ all += $1 } $0 ~ re { good += $1 } END { exit !(all >= 20 && good >= all * 0.98) }' "$tmp/lines" ||
		fail "not whole: $(sort -rn "$tmp/lines" | head -n 20)"
}
# truth: stacks of Go, in the vDSO | the callers of time.Now() | the program's source
sampled now main.hot
share ' main.hot main.main runtime.main runtime.goexit$'
# truth: stacks of Go without symbols | the names of its functions | the program's source
sampled stripped main.hot
share ' main.hot main.main runtime.main runtime.goexit$'
# truth: probes on Go without symbols | main.hot, found by name | the program's source
dtx -qn "uprobe:$tmp/stripped:main.hot:entry { printf(\"%s\\n\", probefunc); exit(0); }" -c "$tmp/stripped"
same main.hot "$(head -n 1 "$tmp/out")" 'a function of a stripped program'

build -o both both.go && build -ldflags '-s -w' -o bare both.go || exit 0    # no C compiler
for program in both bare; do
	# truth: stacks of Go that calls C | the callers of C in Go | the program's source
	sampled $program main.hot
	share ' main.hot main.main runtime.main runtime.goexit$'
	# truth: stacks of Go that C has called | the callers of C in Go | the program's source
	grep -E ' main.work ' "$tmp/lines" >"$tmp/work" && mv "$tmp/work" "$tmp/lines"
	share ' main.work .*runtime.cgocallback .*runtime.asmcgocall .*main.hot main.main runtime.main runtime.goexit$'
done

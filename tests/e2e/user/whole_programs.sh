#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Entry and return of all functions of programs and their libraries, while they work: the same output and status as without dtx. A sample
# of tests/bench/harmless, which has some thirty.
# needs: uprobes gcc g++ tar git
# beside: it compiles and starts programs, and waits for no clock
# timeout: 120
# truth: whole programs (tar, git, C++ exceptions, longjmp, swapcontext) | output and status with all entries and returns probed | the same without dtx
. "$(dirname "$0")/../lib.sh"

DTX=$DTX KEEP=1 tests/bench/harmless tar git throws jumps "go program" "rust panic" >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/out" "$tmp/err")"
[ "$(grep -cE '[| ][1-9][0-9]* [|] no [|]$' "$tmp/out")" -ge 4 ] || fail "$(cat "$tmp/out" "$tmp/err")"

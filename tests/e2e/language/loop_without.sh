#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# Loops as kernels before 5.17 have them: nested deeper than once they make fewer turns, and one turn too many is an error.
. "$(dirname "$0")/../lib.sh"
folder=$(dirname "$0")

for test in loop_deep loop_nested loop_break_continue; do
	"$DTX" -x without=loop -s "$folder/$test.d" 2>&1 | diff - "$folder/$test.out" || fail "$test prints something else"
done
"$DTX" -x without=loop -qn 'BEGIN { for (;;) for (;;) for (;;) n++; } BEGIN { printf("%d\n", n); exit(0); }' >"$tmp/out" 2>"$tmp/err"
grep -q 'too many iterations of a loop (' "$tmp/err" || fail "$(cat "$tmp/err")"
[ "$(cat "$tmp/out")" -gt 20 ] || fail "$(cat "$tmp/out") turns"
"$DTX" -x without=bits -qn BEGIN 2>&1 | grep -q "'bits' is not a valid value for it; use bpf, btf" || fail "an ability that does not exist is accepted"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root script
#
# A program whose code takes long to make says so before, to a terminal.
. "$(dirname "$0")/../lib.sh"

{ echo 'int64_t x;'; for i in {1..1500}; do echo "BEGIN /x == $i/ { @a[execname, $i] = sum(x + $i * pid); y[tid] = x ? 3 : $i; }"; done; } >"$tmp/long.d"
script -qec "$DTX -e -s $tmp/long.d" /dev/null >"$tmp/out" || fail "$(head -3 "$tmp/out")"
grep -q "making the code of 1500 clauses takes about [0-9]* s" "$tmp/out" || fail "not told: $(head -3 "$tmp/out")"
head -20 "$tmp/long.d" >"$tmp/short.d"
script -qec "$DTX -e -s $tmp/short.d" /dev/null >"$tmp/out"
same "" "$(cat "$tmp/out")" "what a short one says"
"$DTX" -e -s "$tmp/long.d" 2>"$tmp/err" || fail "$(head -3 "$tmp/err")"
same "" "$(cat "$tmp/err")" "what a file is told"

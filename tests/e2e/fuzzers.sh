#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
# timeout: 120
#
# The fuzzer of the lexer, parser and checker for half a minute (make fuzz: longer), after all inputs
# of its corpus: no crash, no leak, no undefined behaviour.
. "$(dirname "$0")/lib.sh"

fuzz=$(dirname "$DTX")/tests/fuzz
[ -z "${DTX_GUEST:-}" ] || skip "runs outside of the guests"
[ -x "$fuzz/front" ] || skip "not built: needs clang's libFuzzer (libclang-rt-19-dev)"
FUZZ=$fuzz FUZZ_ONLY=front FUZZ_TIME=${FUZZ_TIME:-30} FUZZ_FAIL=$tmp/fail FUZZ_VERBOSE=0 tests/fuzz/run >"$tmp/out" 2>&1 && exit
grep -vE '^(INFO|#[0-9])' "$tmp/out" | head -n 60 >&2
for input in "$tmp"/fail/*; do
	[ -f "$input" ] || continue
	echo "$input, in base 64:" >&2
	base64 "$input" >&2
done
fail "the fuzzer found something"

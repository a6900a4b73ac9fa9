#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
# timeout: 200
#
# The fuzzers after all inputs of their corpora: the one of lexer, parser and checker for half a minute, those of what
# others write (images, objects, debugging information, BTF, maps of code, the environment) for five seconds each;
# make fuzz: longer. No crash, no leak, no undefined behaviour.
. "$(dirname "$0")/../lib.sh"

fuzz=$(dirname "$DTX")/tests/fuzz
[ -z "${DTX_GUEST:-}" ] || skip "runs outside of the guests"
[ -x "$fuzz/front" ] || skip "not built: needs clang's libFuzzer (libclang-rt-19-dev)"
for input in tests/fuzz/*.c; do
	name=$(basename "$input" .c)
	FUZZ=$fuzz FUZZ_ONLY=$name FUZZ_TIME=${FUZZ_TIME:-$([ $name = front ] && echo 30 || echo 5)} FUZZ_FAIL=$tmp/fail FUZZ_VERBOSE=0 \
		tests/fuzz/run >"$tmp/out" 2>&1 && continue
	grep -vE '^(INFO|#[0-9])' "$tmp/out" | head -n 60 >&2
	for input in "$tmp"/fail/*; do
		[ -f "$input" ] || continue
		echo "$input, in base 64:" >&2
		base64 "$input" >&2
	done
	fail "the fuzzer $name found something"
done

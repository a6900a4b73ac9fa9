#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
# beside: it compiles and starts programs for a minute or more
# timeout: 200
#
# The fuzzers after all inputs of their corpora: the one of lexer, parser and checker for half a minute, those of what
# others write (images, objects, debugging information, BTF, maps of code, the environment) for five seconds each;
# make fuzz: longer. No crash, no leak, no undefined behaviour.
. "$(dirname "$0")/../lib.sh"

fuzz=$(dirname "$DTX")/tests/fuzz
[ -z "${DTX_GUEST:-}" ] || skip "runs outside of the guests"
[ -x "$fuzz/front" ] || skip "not built: needs clang's libFuzzer (libclang-rt-19-dev)"

# fuzz NAME SECONDS
fuzz() {
	local name=$1 input
	FUZZ=$fuzz FUZZ_ONLY=$name FUZZ_TIME=${FUZZ_TIME:-$2} FUZZ_FAIL=$tmp/$name FUZZ_VERBOSE=0 \
		tests/fuzz/run >"$tmp/$name.out" 2>&1 && return
	grep -vE '^(INFO|#[0-9])' "$tmp/$name.out" | head -n 60 >&2
	for input in "$tmp/$name"/*; do
		[ -f "$input" ] || continue
		echo "$input, in base 64:" >&2
		base64 "$input" >&2
	done
	echo "the fuzzer $name found something" >&2
	return 1
}

# Two at a time.
failed='' running=0
for name in front $(basename -s .c tests/fuzz/*.c | grep -v '^front$'); do
	[ $running -lt 2 ] || wait -n || failed=1
	fuzz "$name" $([ "$name" = front ] && echo 30 || echo 5) &
	running=$((running + 1))
done
# 127: none is left
while status=0 && { wait -n || status=$?; } && [ $status != 127 ]; do [ $status = 0 ] || failed=1; done
[ -z "$failed" ]

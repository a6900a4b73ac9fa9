#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# Functions of the library that were compiled with dtx go into programs as bytes, and people are shown their instructions: the bytes
# are what LLVM makes of the instruction beside them.
. "$(dirname "$0")/../lib.sh"
text=$(dirname "$DTX")/bpf/precompiled.txt
[ -f "$text" ] || skip 'dtx was not built here'
command -v llvm-mc-19 llvm-objcopy-19 >/dev/null || skip 'no llvm-mc-19'

# bytes NAME: of the code of the assembly in standard input.
bytes() {
	llvm-mc-19 -triple bpfel -mcpu=v3 -filetype=obj -o "$tmp/$1.o" || fail "$1 is no assembly"
	llvm-objcopy-19 -O binary -j .text "$tmp/$1.o" "$tmp/$1"
}
sed -n 's/^\\[^\t]*\t//p' "$text" | bytes instructions
sed -n 's/^\(\\[^\t]*\)\t.*/.ascii "\1"/p' "$text" | bytes numbers
[ "$(stat -c %s "$tmp/numbers")" -gt 40000 ] || fail "only $(stat -c %s "$tmp/numbers") bytes are there as numbers"
cmp "$tmp/instructions" "$tmp/numbers" || fail 'a number is not its instruction'

dtx -x cache=off -S bpf -eqn 'BEGIN { trace(strstr(execname, "a")); }'
! grep -q '\.ascii' "$tmp/out" || fail 'people are shown numbers'

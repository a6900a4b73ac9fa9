#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump clang-19
# where: native
#
# A machine that is not this one: what base/arch/aarch64 says of instructions is what an assembler and a disassembler
# say, and what depends on a machine compiles for it (make ARCH=aarch64 arch-objects compiles all).
# truth: instructions of arm64 | where execution goes after each one of a whole C library | objdump
. "$(dirname "$0")/../lib.sh"
plain 'it asks a unit test, and compiles'
unit=$(dirname "$DTX")/tests/unit/arch_aarch64
[ -x "$unit" ] || skip 'build/tests/unit/arch_aarch64 is not built'

# The words of its rows, by the assembler.
"$unit" rows >"$tmp/rows"
cut -d' ' -f2- "$tmp/rows" | aarch64-linux-gnu-as -W -march=armv8.5-a+mops -o "$tmp/rows.o" - || fail 'a row cannot be assembled'
aarch64-linux-gnu-objdump -d "$tmp/rows.o" | awk -F'\t' 'NF > 2 { print $2 }' | tr -d ' ' >"$tmp/words"
cut -d' ' -f1 "$tmp/rows" | cmp -s - "$tmp/words" || fail "$(cut -d' ' -f1 "$tmp/rows" | paste - "$tmp/words" "$tmp/rows" | awk '$1 != $2')"

# Each instruction of the C library.
libc=/usr/aarch64-linux-gnu/lib/libc.so.6
[ -f "$libc" ] || skip 'no C library of arm64: libc6-arm64-cross'
aarch64-linux-gnu-objdump -d "$libc" | awk -F'\t' 'NF > 2 && $1 ~ /^ *[0-9a-f]+:$/' >"$tmp/code"
awk -F'\t' '{ sub(/:/, "", $1); print $1, $2 }' "$tmp/code" | "$unit" flow >"$tmp/ours"
awk -F'\t' '
	BEGIN {
		n = split("b jump bl call blr call br indirect ret return brk stop hlt stop udf odd eret odd cbz branch cbnz branch tbz branch tbnz branch", w, " ")
		for (i = 1; i < n; i += 2) flow[w[i]] = w[i + 1]
	}
	{ sub(/:/, "", $1); gsub(/ /, "", $1); sub(/ *$/, "", $3) }
	$3 ~ /^b\./ { flow[$3] = "branch" }
	$3 in flow { print $1, flow[$3], match($4, /[0-9a-f]+ </) ? substr($4, RSTART, RLENGTH - 2) : 0 }' "$tmp/code" >"$tmp/theirs"
[ "$(wc -l <"$tmp/theirs")" -gt 20000 ] || fail 'the disassembler says little'
diff "$tmp/theirs" "$tmp/ours" >"$tmp/diff" || fail "$(head -20 "$tmp/diff")"

# What uses an architecture compiles for this one, without warnings.
cd "$(dirname "$0")/../../.." || exit
mapfile -t uses < <(grep -lE '\b(ARCH|arch)_[a-zA-Z]' runtime/{unwind,code,dwarf,provider,provider/user}/*.c | head -12; ls base/arch/aarch64/*.c)
mapfile -t bpf < <(grep -lE '\barch_|ARCH_' bpf/stack/*.bpf.c bpf/guard.bpf.c)
goals=("${uses[@]/%.c/.o}" "${bpf[@]/%.bpf.c/.bc}")
MAKEFLAGS= MAKELEVEL=0 make -s CFLAGS=-O0 ARCH=aarch64 build="$tmp/build" "${goals[@]/#/$tmp/build/}" >"$tmp/log" 2>&1 ||
	fail "it does not compile: $(tail -5 "$tmp/log")"
grep -n 'warning:' "$tmp/log" >&2 && fail 'the compiler warns'
exit 0

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc
# timeout: 60
#
# The unwind table of a large program is made by parts, where stacks pass: they are whole or marked as long as a part is missing, never
# false; all parts of a target's files are there before it goes on.
. "$(dirname "$0")/../lib.sh"

# f0 … f11 call each other, 4,000 functions of assembly between each; code without information is between them, too.
{
	echo 'volatile long sum, n; typedef unsigned long long u64;'
	echo '__attribute__((noipa)) void leaf(void) { for (int i = 0; i < 100000; i++) sum++; }'
	for i in 11 10 9 8 7 6 5 4 3 2 1 0; do
		echo "asm(\".text; .rept 4000; .p2align 4; .cfi_startproc; push %rbx; .cfi_def_cfa_offset 16; .cfi_offset %rbx, -16;\""
		echo "    \" sub \$$((i * 8 + 32)), %rsp; .cfi_def_cfa_offset $((i * 8 + 48)); add \$$((i * 8 + 32)), %rsp; .cfi_def_cfa_offset 16;\""
		echo "    \" pop %rbx; .cfi_def_cfa_offset 8; ret; .cfi_endproc; .endr; .zero 5000, 0x90\");"
		next=$((i + 1))
		[ $i = 11 ] && call='leaf()' || call="f$next()"
		echo "__attribute__((noipa)) void f$i(void) { volatile char room[$((i * 40 + 8))]; room[n] = 1; $call; sum += room[n]; }"
	done
	echo 'int main(void) { for (;;) f0(); }'
} >"$tmp/large.c"
gcc -O2 -fno-toplevel-reorder -fomit-frame-pointer -o "$tmp/large" "$tmp/large.c" || fail 'cannot compile'
[ "$(stat -c %s "$tmp/large")" -gt 2000000 ] || fail 'the program is not large'

# The stacks of $tmp/out, each as a line of functions, with its count; "?" if it is marked.
stacks() {
	awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); line = line " " $1 } /incomplete/ { sub(/.*incomplete: /, ""); mark = " ? " $0 }
		NF == 1 && /^ *[0-9]+$/ { print $1 line mark; line = mark = "" }' "$tmp/out" >"$tmp/lines"
}
whole=' leaf f11 f10 f9 f8 f7 f6 f5 f4 f3 f2 f1 f0 main .*_start$'

"$tmp/large" & pid=$!
trap 'kill $pid; wait $pid 2>/dev/null; rm -rf "$tmp"' EXIT
# truth: stacks, a table made by parts | callers in a large program, from the first sample on | the program's source
dtx -q -n "profile-997hz /pid == $pid/ { @[ustack()] = count(); } profile-97hz /pid == $pid && n++ == 60/ { exit(0); }"
stacks
awk -v whole="$whole" '$0 ~ whole { good += $1; next } / \? / { marked += $1; next } !/ leaf/ { next } { print "false: " $0; bad++ }
	END { if (bad || good < 100 || marked > good / 4) { print good + 0 " whole, " marked + 0 " marked"; exit 1 } }' "$tmp/lines" >&2 ||
	fail "$(cat "$tmp/lines")"
grep ' ? ' "$tmp/lines" | grep -v 'unwind table was being made' && fail 'another mark'

# truth: stacks, a target's large program | no frame waits for a table | the program's source
dtx -q -n 'profile-997hz /pid == $target/ { @[ustack()] = count(); } profile-97hz /pid == $target && n++ == 20/ { exit(0); }' -p $pid
stacks
grep -F '?' "$tmp/lines" && fail 'a stack of the target is marked'
grep -qE "$whole" "$tmp/lines" || fail "$(cat "$tmp/lines")"

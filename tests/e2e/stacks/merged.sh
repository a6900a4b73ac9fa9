#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes gcc
#
# A program that runs six times at six places in memory, and has ended and is deleted when its stacks are shown, is one named entry.
# A stripped one has offsets at which dtx can probe it.
. "$(dirname "$0")/../lib.sh"

printf '__attribute__((noipa)) int inner(int n) { return n + 1; } __attribute__((noipa)) int outer(int n) { return inner(n) + 1; }
	int main(void) { return outer(1) != 3; }' | gcc -x c -O2 -pie -fPIE -o "$tmp/prog" - || fail "cannot compile"
"$DTX" -qn "BEGIN { printf(\"ready\n\"); } uprobe:$tmp/prog:inner { @[ustack()] = count(); printf(\"depth %d\n\", ustackdepth); }" -x switchrate=10ms \
	>"$tmp/out" 2>"$tmp/err" &
tracer=$!
trap 'kill -INT $tracer 2>/dev/null; rm -rf "$tmp"' EXIT
begun
# The first ones may come before the tables of its libraries.
whole() { "$tmp/prog"; grep -q '^depth [6-9]' "$tmp/out"; }
awaits whole
for i in 1 2 3 4 5 6; do "$tmp/prog"; done
rm "$tmp/prog"
kill -TERM $tracer
wait $tracer
awk '/`/ { sub(/.*`/, ""); sub(/[+].*/, ""); line = line " " $1 } NF == 1 && /^ +[0-9]+$/ { print line, $1; line = "" }' \
	"$tmp/out" >"$tmp/lines"
[ "$(awk '/^ inner outer main .*_start/ && $NF >= 6' "$tmp/lines" | wc -l)" = 1 ] || fail "not one entry: $(cat "$tmp/out")"
[ "$(wc -l <"$tmp/lines")" -le 2 ] || fail "more entries than that: $(cat "$tmp/out")"

printf '__attribute__((noipa)) int inner(int n) { return n + 1; } int main(void) { return inner(1) != 2; }' |
	gcc -x c -O2 -s -o "$tmp/prog" - || fail "cannot compile"
objdump -d "$tmp/prog" >/dev/null 2>&1 || skip "needs objdump"
place=0x$(objdump -d "$tmp/prog" | awk '/lea +0x1\(%rdi\),%eax/ { sub(/:/, "", $1); print $1 }' | tail -n 1)
dtx -qn "uprobe:$tmp/prog:$place { @[ustack(1)] = count(); }" -c "$tmp/prog"
grep -q "prog+$place\$" "$tmp/out" || fail "not prog+$place: $(cat "$tmp/out")"

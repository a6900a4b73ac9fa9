#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc setpriv
#
# A program whose file was replaced or deleted while it ran has its own names, never those of the
# file that came in its place. Without the right to open what is mapped it has no names.
. "$(dirname "$0")/../lib.sh"

# program FUNCTION: $tmp/FUNCTION, which spins in that function; it is at the same place in each.
program() {
	printf '__attribute__((noinline)) void %s(void) { for (volatile long i = 0; i < 1000000; i++); }
		int main(void) { for (;;) %s(); }' "$1" "$1" | gcc -x c -O0 -o "$tmp/$1" - || fail "cannot compile"
}
# look COMMAND…: which function the spinning process is in, as COMMAND dtx says.
look() {
	"$@" -qn "profile-997 /pid == $pid && arg1/ { @[ufunc(arg1)] = count(); } tick-600ms { trunc(@, 1); exit(0); }" \
		>"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	awk 'NF == 2 { print $1 }' "$tmp/out"
}
without=(setpriv --bounding-set=-checkpoint_restore,-sys_admin --inh-caps=-checkpoint_restore,-sys_admin)

program true_name
program lying_name
cp "$tmp/true_name" "$tmp/prog"
"$tmp/prog" &
pid=$!
trap 'kill $pid; rm -rf "$tmp"' EXIT
same 'prog`true_name' "$(look "$DTX")" "before"
same 'prog`true_name' "$(look "${without[@]}" "$DTX")" "before, without the right"
mv "$tmp/lying_name" "$tmp/prog"
same 'prog`true_name' "$(look "$DTX")" "after it was replaced"
look "${without[@]}" "$DTX" >"$tmp/name"
grep -qE '^(prog`)?0x[0-9a-f]+$' "$tmp/name" || fail "without the right: $(cat "$tmp/name")"
rm "$tmp/prog"
same 'prog`true_name' "$(look "$DTX")" "after it was deleted"

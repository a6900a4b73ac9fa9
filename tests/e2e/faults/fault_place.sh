#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# A fault tells the place of its clause; at an entry, once, that a page may not be there yet.
. "$(dirname "$0")/../lib.sh"

printf 'BEGIN { x = 0; }\n  BEGIN { trace(1 / x); }\nBEGIN { while (1) { x++; } }\nBEGIN { exit(0); }\n' >"$tmp/place.d"
"$DTX" -q -s "$tmp/place.d" 2>"$tmp/err"
grep -qF "(dtrace:::BEGIN): divide-by-zero at $tmp/place.d:2:3" "$tmp/err" || fail "$(cat "$tmp/err")"
grep -qF "too many iterations of a loop (256) at $tmp/place.d:3:1" "$tmp/err" || fail "$(cat "$tmp/err")"
grep -q "in memory" "$tmp/err" && fail "told of a page: $(cat "$tmp/err")"

"$DTX" -q -n 'syscall::write:entry /pid == $target/ { trace(copyinstr(0x10000000)); trace(1); }' -c 'sh -c "echo a; echo b"' >"$tmp/out" 2>"$tmp/err"
same 2 "$(grep -cF 'invalid address (0x10000000) at -n:1:1' "$tmp/err")" "faults"
same 1 "$(grep -c 'the page may not be in memory yet: keep the address, self->p = arg0, and read it at the return' "$tmp/err")" "hints"

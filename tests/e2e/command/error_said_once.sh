#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# An expression that is looked at twice has its error told once; the same error elsewhere is told too.
# needs: uprobes
. "$(dirname "$0")/../lib.sh"

"$DTX" -e -n 'BEGIN { x = 1; y = x / 0; z = 1 % 0; }' 2>"$tmp/err" && fail 'a division by zero is accepted'
n=$(grep -c D_DIV_ZERO "$tmp/err")
[ "$n" = 2 ] || fail "the error is told $n times, not twice: $(cat "$tmp/err")"

# What a provider says of a description is told where the description is, and not again; with -Z not at all.
for set in "1 " "0 -Z"; do
	"$DTX" ${set#? } -e -n 'pid$target:a.out:no_such_function:entry { }' -c true >"$tmp/out" 2>"$tmp/err"
	n=$(grep -c "there is no function 'no_such_function'" "$tmp/err")
	[ "$n" = "${set%% *}" ] || fail "told $n times, not ${set%% *}: $(cat "$tmp/err")"
done

# An inline that is refused: its uses have no error of their own.
"$DTX" -e -n 'inline int n = "text"; inline int f[int i] = i + nowhere; BEGIN { trace(n); trace(f[n]); }' 2>"$tmp/err" && fail 'the inlines are accepted'
same 'D_OP_INCOMPAT D_IDENT_UNDEF' "$(grep -o 'D_[A-Z_]*' "$tmp/err" | paste -sd ' ')" "the errors of two inlines"

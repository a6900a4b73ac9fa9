#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# An expression that is looked at twice has its error told once; the same error elsewhere is told too.
# needs: none
. "$(dirname "$0")/lib.sh"

"$DTX" -e -n 'BEGIN { x = 1; y = x / 0; z = 1 % 0; }' 2>"$tmp/err" && fail 'a division by zero is accepted'
n=$(grep -c D_DIV_ZERO "$tmp/err")
[ "$n" = 2 ] || fail "the error is told $n times, not twice: $(cat "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# What was lost for want of room names the option, and twice its value; once.
. "$(dirname "$0")/../lib.sh"

hint() {        # OPTIONS PROGRAM HINT
	# shellcheck disable=SC2086
	"$DTX" -q $1 -n "$2" >/dev/null 2>"$tmp/err"
	same 1 "$(grep -cF -- "help: option $3" "$tmp/err")" "hints of $2: $(cat "$tmp/err")"
}
hint "-x aggsize=1k" 'tick-2000hz { @[timestamp] = count(); } tick-1s { n++; } tick-1s /n == 2/ { clear(@); exit(0); }' \
	"aggsize gives more room: -x aggsize=2k (now 1k)"
hint "-x dynvarsize=1k" 'tick-2000hz { x[timestamp] = 1; } tick-1s { exit(0); }' "dynvarsize gives more room: -x dynvarsize=2k (now 1k)"
hint "-x strsize=4" 'BEGIN { trace(strjoin("abcd", execname)); exit(0); }' "strsize gives more room: -x strsize=8 (now 4)"
hint "" 'BEGIN { a = speculation(); b = speculation(); exit(0); }' "nspec gives more room: -x nspec=2 (now 1)"
hint "-x nspec=0" 'BEGIN { a = speculation(); exit(0); }' "nspec gives more room: -x nspec=1 (now 0)"

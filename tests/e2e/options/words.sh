#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# Each word that an option takes is named by the message about a wrong value, by the manual and by TAB; and it is taken.
. "$(dirname "$0")/../lib.sh"

while read -r option word; do
	refused "failed to set -x $option: '?' is not a valid value for it; use $word, or" -x "$option=?" -qn BEGIN
	"$DTX" --help -x "$option" | grep -q "Value: $word, or" || fail "the manual: $("$DTX" --help -x "$option")"
	"$DTX" --complete -- -x "$option=" >"$tmp/got"
	sed 1d "$tmp/got" | cut -f 1 | grep -qx "$option=$word" || fail "TAB: $(cat "$tmp/got")"
	same '' "$("$DTX" -x "$option=$word" -qn 'BEGIN { exit(0); }' 2>&1)" "$option=$word"
done <<'WORDS'
every never
cpu all
lockmem unlimited
WORDS

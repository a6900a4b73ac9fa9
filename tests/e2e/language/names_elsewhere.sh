#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none cc
#
# Each name of include/dtx/tables/elsewhere.def is refused with its reason and with what does instead, as a variable and as a
# function; a program that declares it has it.
. "$(dirname "$0")/../lib.sh"

cc -E -P -x c -D'TOOL="dtx"' -D'ELSEWHERE(n,w,i)=@#n@w@i@' -D'OTHERWISE(n,i)=@#n@@i@' include/dtx/tables/elsewhere.def |
	sed -E 's/@"([a-z_0-9]*)"@/\1@/; s/"@"/@/; s/@ *"/@/; s/" *"//g; s/"@$//; s/@$//; s/\\"/"/g' | grep . >"$tmp/rows"
[ "$(wc -l <"$tmp/rows")" = "$(grep -cE '^(ELSEWHERE|OTHERWISE)\(' include/dtx/tables/elsewhere.def)" ] || fail 'the rows are not found'

while IFS=@ read -r name why instead; do
	for use in "trace($name)" "$name(1)"; do
		"$DTX" -en "BEGIN { $use; }" >/dev/null 2>"$tmp/err" && fail "$use is accepted"
		grep -qF "= help: $instead" "$tmp/err" || { cat "$tmp/err" >&2; fail "$use: not said: $instead"; }
		grep -qF "'$name' is ${why:+not possible on Linux: $why}" "$tmp/err" || { cat "$tmp/err" >&2; fail "$use: no reason"; }
	done
	echo "int $name; BEGIN { $name = 1; }" >>"$tmp/all.d"
done <"$tmp/rows"
# A name that C has too (assert, find …) is a variable like others.
"$DTX" -es "$tmp/all.d" || fail 'a program cannot have one of the names'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
#
# What says where dtx finds things is set on the command line, not by a program; a file that ends in a pragma was cut off.
. "$(dirname "$0")/../lib.sh"

for option in cppargs=-DX cpppath=/bin/cpp ctfpath=/tmp modpath=/tmp procfspath=/proc ldpath=/bin/ld lockmem=1m; do
	printf '#pragma D option %s\nBEGIN { exit(0); }\n' $option >"$tmp/p.d"
	"$DTX" -e -s "$tmp/p.d" 2>"$tmp/err" && fail "a program may set $option"
	grep -q "a program cannot set the option '${option%%=*}' \[D_PRAGMA_OPTSET\]" "$tmp/err" || fail "$(cat "$tmp/err")"
	grep -q "use -x $option" "$tmp/err" || fail "no help: $(cat "$tmp/err")"
	"$DTX" -e -x $option -n BEGIN || fail "-x $option"
done

printf 'BEGIN { exit(0); }\n#pragma D option quiet' >"$tmp/cut.d"
"$DTX" -e -s "$tmp/cut.d" 2>"$tmp/err" && fail "a file that ends in a pragma"
same "$tmp/cut.d:2:1: error: the file ends in this line [D_SYNTAX]" "$(head -n 1 "$tmp/err")" "the message"
echo >>"$tmp/cut.d"
"$DTX" -e -s "$tmp/cut.d" || fail "with a newline"
"$DTX" -e -n $'BEGIN { exit(0); }\n#pragma D option quiet' || fail "the text of -n is no file"

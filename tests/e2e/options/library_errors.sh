#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
#
# What fails inside of a library, as it is used in the wrong place, is told at the user's text; the library's line is a note.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/lib"
printf '%s\n' 'inline int first = args[7]->x;' >"$tmp/lib/own.d"

# refused PROGRAM FIRST NOTE: its first line of message, and its note.
refused() {
	"$DTX" -e -L "$tmp/lib" -n "$1" 2>"$tmp/err" && fail "taken: $1"
	same "$2" "$(head -n 1 "$tmp/err")" "the message of $1"
	same "$3" "$(grep ': note: ' "$tmp/err" | sed "s,$tmp/,,")" "the note of $1"
}
refused 'BEGIN { trace(1 + first); }' '-n:1:19: error: dtrace:::BEGIN has no typed arguments [D_ARGS_IDX]' \
	'lib/own.d:1:20: note: the library says: inline int first = args[7]->x;'
grep -qF '      |                   ^~~~~' "$tmp/err" || { cat "$tmp/err" >&2; fail "the user's text is not shown"; }

# With parameters.
printf 'inline int third[int n] = args[7]->x + n;\n' >"$tmp/lib/own.d"
refused 'BEGIN { trace(third[2]); }' '-n:1:15: error: dtrace:::BEGIN has no typed arguments [D_ARGS_IDX]' \
	'lib/own.d:1:27: note: the library says: inline int third[int n] = args[7]->x + n;'

# What is wrong with the library itself is told there.
printf 'inline int bad = nosuchname;\n' >"$tmp/lib/own.d"
"$DTX" -e -L "$tmp/lib" -n 'BEGIN { trace(1); }' 2>"$tmp/err" && fail "a library with an error is taken"
same "$tmp/lib/own.d:1:18: error: unknown name 'nosuchname' [D_IDENT_UNDEF]" "$(head -n 1 "$tmp/err")" "an error of the library"

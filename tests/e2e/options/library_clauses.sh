#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A clause in a library is checked as any other and never runs; a library that needs another one, which is missing,
# is an error, and those that DTrace comes with are there.
. "$(dirname "$0")/../lib.sh"

mkdir "$tmp/lib"
lib() { printf '%s\n' "$@" >"$tmp/lib/own.d"; }
refused() {
	"$DTX" -q -L "$tmp/lib" -n 'BEGIN { exit(0); }' 2>"$tmp/err" && fail "taken: $(cat "$tmp/lib/own.d")"
	same "$1" "$(head -n 1 "$tmp/err" | sed "s,$tmp/,,")" "the message"
}
lib 'BEGIN { trace("of the library"); @n = count(); }' 'inline int FOUR = 4;'
dtx -L "$tmp/lib" -n 'BEGIN { trace(FOUR); exit(0); }'
grep -q library "$tmp/out" && fail "a clause of a library runs: $(cat "$tmp/out")"
grep -q "matched 1 probe$" "$tmp/err" || fail "its probes are counted: $(cat "$tmp/err")"
dtx -L "$tmp/lib" -ln BEGIN
same 2 "$(wc -l <"$tmp/out")" "what is listed"

lib 'BEGIN { trace(nothing); }'
refused "lib/own.d:1:15: error: unknown name 'nothing' [D_IDENT_UNDEF]"
lib 'nobody:::here { }'
refused "lib/own.d:1:1: error: 'nobody:::here' matches no probe [D_PDESC_ZERO]"
lib '#pragma D depends_on library other.d'
refused "lib/own.d:1:1: error: this library needs the library 'other.d', which is not there [D_PRAGMA_DEPEND]"
for name in other.d io.d procfs.d; do
	[ $name = other.d ] && echo 'inline int OTHER = 3;' >"$tmp/lib/other.d"
	lib "#pragma D depends_on library $name"
	dtx -q -L "$tmp/lib" -n 'BEGIN { exit(0); }'
done

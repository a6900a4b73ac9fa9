#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
# timeout: 120
#
# Programs nobody writes: a clear error or success, never a crash or a hang.
. "$(dirname "$0")/../lib.sh"

# try WHAT ARG…: it ends in time, not by a signal, and says something when it fails.
try() {
	local what=$1 status
	shift
	timeout $((30 * ${DTX_SLOW:-1})) "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	[ $status -lt 124 ] || { head -n 20 "$tmp/err" >&2; fail "$what: status $status"; }
	[ $status = 0 ] || [ -s "$tmp/err" ] || fail "$what: fails without a word"
}

: >"$tmp/empty"
head -c 100000 /dev/urandom >"$tmp/rubbish"
head -c 1000000 /dev/zero >"$tmp/zeros"
{ echo 'BEGIN { exit(0); }'; for ((i = 0; i < 10000; i++)); do echo 'END { x = 1; }'; done; } >"$tmp/clauses"
{ echo -n 'BEGIN { x = '; printf '(%.0s' {1..100000}; } >"$tmp/open"
{ echo -n 'BEGIN { x = '; printf '(%.0s' {1..5000}; echo -n 1; printf ')%.0s' {1..5000}; echo '; }'; } >"$tmp/deep"
{ echo -n 'BEGIN { x = 1'; printf ' + 1%.0s' {1..50000}; echo '; }'; } >"$tmp/long"
{ echo -n 'BEGIN { trace("'; head -c 1000000 /dev/zero | tr '\0' a; echo '"); }'; } >"$tmp/string"
{ echo '/*'; head -c 1000000 /dev/zero | tr '\0' '\n'; } >"$tmp/comment"

try "nothing at all"
try "a file that is not there" -s "$tmp/none"
try "a folder" -s "$tmp"
try "an empty program" -n ''
for file in empty rubbish zeros clauses open deep long string comment; do try "$file" -e -s "$tmp/$file"; done
try "half a clause" -e -n 'BEGIN {'
try "half a string" -e -n 'BEGIN { trace("abc'
try "an option without its value" -x
try "an unknown option" --no-such-option
[ -s "$tmp/err" ] || fail "an unknown option is taken"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# The next step that an error names is one for the option that was used, never what was written.
. "$(dirname "$0")/../lib.sh"

# helps HELP OPTION…
helps() {
	local help=$1
	shift
	"$DTX" "$@" >"$tmp/out" 2>&1 && fail "taken: $*"
	grep "= help: " "$tmp/out" | grep -qF -- "$help" || fail "$*: $(cat "$tmp/out")"
}

helps '-f takes PROVIDER:MODULE:FUNCTION; -n takes' -ef 'dtrace:::'
helps '-m takes PROVIDER:MODULE; -n takes' -em a:b:c
helps '-P takes PROVIDER; -n takes' -eP a:b
helps '-n takes a description' -ei foo
helps 'a description is provider:module:function:name' -en a:b:c:d:e

helps 'left out by option nolibs' -x nolibs -en 'BEGIN { trace(curpsinfo->pr_pid); }'
grep -q 'nolibs' <("$DTX" -en 'BEGIN { trace(nothing); }' 2>&1) && fail 'nolibs is blamed without it'

printf 'BEGIN\n' >"$tmp/bare.d"
helps "write '{ }' after it to see when it fires" -es "$tmp/bare.d"
grep -q 'as a type' "$tmp/out" && fail "BEGIN is taken for a type: $(cat "$tmp/out")"
exit 0

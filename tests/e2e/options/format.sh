#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# A format that does not exist is refused, with those that do.
. "$(dirname "$0")/../lib.sh"

refused() { # WHAT TEXT COMMAND…
	local what=$1 text=$2
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err" && fail "accepted: $what"
	grep -qF -- "$text" "$tmp/err" || fail "$what: $(cat "$tmp/err")"
	[ ! -s "$tmp/out" ] || fail "$what: ran"
}
one='BEGIN { printf("one\n"); exit(0); }'
refused -x "failed to set -x format: 'xml' is not a valid value for it; use text" "$DTX" -q -x format=xml -n "$one"
refused pragma "'xml' is not a value of option 'format' [D_PRAGMA_OPTSET]" "$DTX" -q -n "#pragma D option format=xml
$one"
refused words "it; use exec, preinit, postinit or main" "$DTX" -q -x evaltime=soon -n "$one"
same one "$("$DTX" -q -x format=text -n "$one")" 'text'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: platform.root status.2
# needs: setpriv
#
# Without rights: one line that says which, and status 2; -V and -e of what needs none still work.
. "$(dirname "$0")/../lib.sh"

cp "$DTX" "$tmp/dtx" && chmod 755 "$tmp" "$tmp/dtx"
nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$tmp/dtx" "$@" >"$tmp/out" 2>"$tmp/err"; }
nobody -n 'BEGIN { exit(0); }'
[ $? = 2 ] || fail "the status is not 2: $(cat "$tmp/err")"
[ "$(wc -l <"$tmp/err")" = 1 ] && grep -q 'root\|CAP_' "$tmp/err" || fail "the message: $(cat "$tmp/err")"
nobody -l -n 'BEGIN'
[ $? = 2 ] || fail "-l: the status is not 2"
nobody -V || fail '-V needs rights'

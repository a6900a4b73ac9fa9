#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
#
# Messages of the command itself, of files and words that others may have named, act on no terminal.
# attack: files and options whose names have escape sequences: -o, --fmt, -s, --replay, an option that is not known | escaped in the message
. "$(dirname "$0")/../lib.sh"

evil=$'x\033]0;title\007\xe2\x80\xaey'
# plain_says ARGUMENT…: dtx refuses it, and says the name without what acts.
plain_says() {
	timeout 60 "$DTX" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null && fail "it is accepted: $(cat -v "$tmp/out")"
	grep -q 'title' "$tmp/out" "$tmp/err" || fail "the name is not there: $(cat -v "$tmp/err")"
	cat "$tmp/out" "$tmp/err" | LC_ALL=C grep -q $'[\001-\010\013-\037]\|\xe2\x80\xae' && fail "raw: $(cat -v "$tmp/out" "$tmp/err")"
}
plain_says --fmt "$tmp/none/$evil"
plain_says -o "$tmp/none/$evil" -n 'BEGIN { exit(0); }'
plain_says -e -s "$tmp/none/$evil"
plain_says --replay "$tmp/none/$evil"
plain_says "--$evil"
plain_says --help "$evil"
exit 0

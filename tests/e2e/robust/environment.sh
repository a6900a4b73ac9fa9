#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf
# where: native
# timeout: 60
#
# The environment is not trusted for more than it says: nonsense in a variable changes no result and makes no file.
# attack: PATH, HOME, TMPDIR, TERM, LANG, LC_ALL, COLUMNS, DEBUGINFOD_URLS … that are empty, 100 kB, escape sequences, formats, numbers out of range, paths | the same output, no control byte in a message, no file
# attack: DTRACE_OPT_… of an option that is not known, or with such values | a short message without a control byte, and the run goes on
. "$(dirname "$0")/../lib.sh"
plain 'each start takes seconds with a sanitizer'

mkdir "$tmp/here" && dtx=$(realpath "$DTX") && cd "$tmp/here" || fail 'no folder'
long=$(printf "A%.0s" {1..100000})
program='BEGIN { printf("%s %d\n", "one", 1); @[execname] = quantize(3); @s[ustack(1)] = count(); exit(0); }'
"$dtx" -qn "$program" >"$tmp/want" 2>"$tmp/err" || fail "plain: $(cat "$tmp/err")"
# run NAME=VALUE…
run() {
	timeout 20 /usr/bin/env "$@" "$dtx" -qn "$program" >"$tmp/out" 2>"$tmp/err" </dev/null || fail "${1:0:60}: status $?: $(cat "$tmp/err")"
	cmp -s "$tmp/want" "$tmp/out" || fail "${1:0:60}: $(cat "$tmp/out")"
	! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f\xff]' "$tmp/err" || fail "${1:0:60}: a control byte: $(cat -v "$tmp/err")"
	[ "$(wc -c <"$tmp/err")" -lt 1000 ] || fail "${1:0:60}: a message of $(wc -c <"$tmp/err") bytes: $(head -c 300 "$tmp/err")"
}
for value in '' "$long" $'\e]0;x\a\n\xff' 99999999999999999999 '%n%s%n' ../../.. http://127.0.0.1:1/; do
	all=()
	for name in PATH HOME TMPDIR TERM LANG LC_ALL LC_NUMERIC COLUMNS LINES TZ DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME SUDO_USER NO_COLOR; do
		all+=("$name=$value")
	done
	run "${all[@]}"
	[ ! -s "$tmp/err" ] || fail "${all[0]:0:60}: $(cat -v "$tmp/err")"
	for name in DTRACE_OPT_bufsize DTRACE_OPT_nonsense; do run "$name=$value"; done
done
[ -z "$(ls -A)" ] || fail "files were made: $(ls -A)"
exit 0

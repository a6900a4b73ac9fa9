#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: native
#
# freopen(): a text that a traced program chooses is a name in the path, and does not say where the path leads; texts of the
# program are as they are. "%#s" and -x raw give all as it is; the first with a warning.
# attack: a process is called "../x", "/tmp/x", ".." or "a/b", and the script runs freopen("…%s", execname) | no file is opened, a fault names it, and the output goes on where it was
. "$(dirname "$0")/../lib.sh"

DTX=$(readlink -f "$DTX") t=$(readlink -f "$t")
short=$(mktemp -d /tmp/dtXXXX)
trap 'rm -rf "$tmp" "$short"' EXIT
mkdir -p "$tmp/a/b" || exit 1
cd "$tmp/a/b" || exit 1

# opens FORM OPTION… -- NAME…: for processes of these names.
opens() {
	local form=$1 options=()
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	printf 'exec %s/named %s\n' "$t" "$(printf '%q ' "$@")" >"$tmp/run"
	dtx -qw "${options[@]}" -n 'syscall::getpgid:entry /pid == $target/ { freopen("'"$form"'", execname); printf("of %s\n", execname); freopen(""); }' -c "bash $tmp/run"
}
for form in %s ./%s x%s %S; do
	opens "$form" -- ../x "$short/x" .. a/b
	[ "$(grep -c 'is not opened: a text that the program did not choose leads to another folder' "$tmp/err")" -ge 1 ] || fail "$form: $(cat "$tmp/err")"
	grep -qx 'of ../x' "$tmp/out" && grep -qx "of $short/x" "$tmp/out" || fail "$form: the output is lost: $(cat "$tmp/out")"
	[ -z "$(ls ../x "$short/x" 2>/dev/null)" ] || fail "$form: a name has led to another folder"
done
opens "$tmp/%s.log" -- plain 'a b' .hidden
for name in plain 'a b' .hidden; do same "of $name" "$(cat "$tmp/$name.log")" "$name"; done
[ ! -s "$tmp/err" ] || fail "told of plain names: $(cat "$tmp/err")"
opens '%#s' -- ../x
same 'of ../x' "$(cat ../x)" '%#s'
grep -q 'warning: this text says which file is written' "$tmp/err" || fail "no warning: $(cat "$tmp/err")"
opens %s -x raw -- ../y
same 'of ../y' "$(cat ../y)" '-x raw'
dtx -qw -n "BEGIN { freopen(\"%s/%s\", \"$tmp\", \"a/of\"); printf(\"own\"); exit(0); }"
same own "$(tr -d '\n' <"$tmp/a/of")" "the program's own texts"

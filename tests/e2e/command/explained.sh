#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf uprobes
# where: native
# timeout: 120
#
# dtx --help TAG: each diagnostic has a wrong program, which is refused with this tag, and a right one, which is
# accepted. They are read from the manual as it is shown.
. "$(dirname "$0")/../lib.sh"

# programs PREFIX: each tag of explain.def makes PREFIX.TAG.wrong, .right and .args.
split() {
	awk -v to="$tmp/" '
		/^D_[A-Z_]+$/ { tag = $1; part = ""; next }
		/^    Wrong/ { part = "wrong"; args = /`|with/ ? $0 : ""; sub(/.*with /, "", args); sub(/:$/, "", args); print args >(to tag ".args"); close(to tag ".args"); next }
		/^    Right/ { part = "right"; next }
		/^        / && part { print substr($0, 9) >(to tag "." part) }' "$1"
}
# D_X is the page: all of them.
COLUMNS=80 "$DTX" --help errors >"$tmp/page" || fail "no page of errors"
split "$tmp/page"

try() {
	local tag=$1 args
	read -r args <"$tmp/$tag.args"
	case $tag in
	D_MACRO_UNUSED) "$DTX" -e -s "$tmp/$tag.wrong" $args >"$tmp/$tag.said" 2>&1 ;;
	*)              "$DTX" -e $args -s "$tmp/$tag.wrong" >"$tmp/$tag.said" 2>&1 ;;
	esac && { echo "$tag: the wrong program is accepted"; return; }
	grep -q "\[$tag\]" "$tmp/$tag.said" || echo "$tag: the wrong program gives: $(cat "$tmp/$tag.said")"
	case $args in -c*) ;; *) args= ;; esac
	case $tag in D_PROC_GRAB | D_PROC_BADPID) args='-c /bin/true' ;; esac
	"$DTX" -e $args -s "$tmp/$tag.right" >"$tmp/$tag.said" 2>&1 || echo "$tag: the right program is refused: $(cat "$tmp/$tag.said")"
}
n=0
for file in "$tmp"/D_*.wrong; do
	tag=$(basename "$file" .wrong)
	try "$tag" >>"$tmp/bad"
	n=$((n + 1))
done
same "$(sed -n 's/^DIAG(\(D_[A-Z_]*\),.*/\1/p' include/dtx/tables/diags.def | sort)" \
	"$(cd "$tmp" && ls D_*.wrong D_EMPTY.args | sed 's/\..*//' | sort -u)" "diagnostics that are explained"
[ ! -s "$tmp/bad" ] || { cat "$tmp/bad" >&2; fail "$(grep -c '^D_' "$tmp/bad") of $n are not as explained"; }

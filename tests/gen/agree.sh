# SPDX-License-Identifier: BSD-2-Clause
#
# Sourced: agree FILE: FILE.out, which dtx printed for FILE.d, is what the traced program says in FILE.true. Lines have no order
# and begin with the number of a use; uses whose numbers are in FILE.d.no, if there is one, are left out. With 0 there, so are
# lines of dtx with that number, which each program has.
agree() {
	[ -e "$1.d.no" ] || : >"$1.d.no"
	# Keys are counted when dtx ends: here as well.
	awk '$3 == "+1" { n[$1 " " $2]++; next } { print } END { for (k in n) print k, n[k] }' "$1.true" |
		awk 'FILENAME != "-" { no[$1]; next } !($1 in no)' "$1.d.no" - | sort >"$1.want"
	grep . "$1.out" | awk 'FILENAME != "-" { no[$1]; next } !($1 == "0" && $1 in no)' "$1.d.no" - | sort | diff "$1.want" - >"$1.diff" && return
	cat "$1.err" >&2
	echo "what is wanted (<), what came (>), each after the number of its use in $1.d:" >&2
	head -n 20 "$1.diff" >&2
	return 1
}

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
# where: both
#
# A parameter by name is found in each probe of a pattern: in unlink() it is the first, in unlinkat() the second. A
# probe of the pattern that has none is named.
. "$(dirname "$0")/../lib.sh"

for name in args.pathname pathname; do
	for cmd in "unlink /no/such/one" "rm -f /no/such/two"; do
		dtx -qn "syscall::unlink*:entry /pid == \$target/ { printf(\"%s %s\n\", probefunc, str($name)); }" -c "$cmd"
		cat "$tmp/out" >>"$tmp/all"
	done
done
both=$'unlink /no/such/one\nunlinkat /no/such/two'
same "$both"$'\n'"$both" "$(grep . "$tmp/all")" "the paths"
"$DTX" -en 'syscall::open*:entry { trace(str(args.filename)); }' 2>"$tmp/err" && fail "a parameter that one probe has not is taken"
grep -q 'open_by_handle_at:entry has no parameter .filename. \[D_TYPE_MEMBER\]' "$tmp/err" || { cat "$tmp/err" >&2; fail "the probe is not named"; }
grep -q 'narrow the description' "$tmp/err" || { cat "$tmp/err" >&2; fail "no next step"; }

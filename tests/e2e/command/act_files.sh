#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: act.ftruncate act.freopen
#
# freopen() appends and goes back, an impossible file is a fault; ftruncate() empties the file of -o; -o appends.
. "$(dirname "$0")/../lib.sh"

echo kept >"$tmp/file"
"$DTX" -qw -n 'BEGIN { printf("a\n"); freopen("%s/file", $$1); printf("b\n"); freopen(""); printf("c\n");
	freopen("/no/such/folder"); freopen("%s", "."); cat("/no/such/file"); printf("d\n"); exit(0); }' "$tmp" >"$tmp/out" 2>"$tmp/err" || fail "it fails"
[ "$(cat "$tmp/file")" = $'kept\nb' ] || fail "the file has: $(cat "$tmp/file")"
[ "$(cat "$tmp/out")" = $'a\nc\nd' ] || fail "the output is: $(cat "$tmp/out")"
for what in "'/no/such/folder': No such file or directory" "'.': Is a directory" "'/no/such/file': No such file or directory"; do
	grep -q "library-level fault (cannot open $what)" "$tmp/err" || fail "no fault for $what: $(cat "$tmp/err")"
done

for i in 1 2; do "$DTX" -q -o "$tmp/o" -n "BEGIN { printf(\"$i\"); exit(0); }" || fail "-o fails"; done
[ "$(cat "$tmp/o")" = $'1\n2' ] || fail "-o does not append: $(cat "$tmp/o")"
"$DTX" -q -o "$tmp/o" -n 'BEGIN { printf("old"); ftruncate(); printf("new"); exit(0); }' || fail "ftruncate fails"
[ "$(cat "$tmp/o")" = new ] || fail "ftruncate leaves: $(cat "$tmp/o")"

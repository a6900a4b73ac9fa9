#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root
#
# A key behind the name of an aggregation in an action: all entries are meant, and that is said.
. "$(dirname "$0")/../lib.sh"

"$DTX" -qn 'BEGIN { @a[1] = sum(4); @a[2] = sum(8); normalize(@a[1], 2); printa("%d %@d\n", @a[2]); exit(0); }' >"$tmp/out" 2>"$tmp/err"
same '1 2
2 4' "$(grep . "$tmp/out")" "all entries"
same 2 "$(grep -c "is for all entries of @a: the key is ignored" "$tmp/err")" "warnings"

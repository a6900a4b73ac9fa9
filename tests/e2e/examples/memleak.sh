#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# examples/memleak.d: blocks that are kept, one that grows; what is given back is not in the sum. A caller is one row for each function
# that it asks, whichever instruction of that returns.
# truth: memleak | bytes and blocks by caller | the program's own calls
. "$(dirname "$0")/tool.bash"

run="$t/leaks 1000 20" tool memleak
rows '/`/ { if (!n[1]) ; where = where $1 " " } / bytes in / { print where $1, $4; where = "" }' | grep -E 'leaks`(keep|grow|churn)' |
	sed -E 's/.*leaks`(keep|grow|churn)\+[^ ]* .* ([0-9-]+ [0-9-]+)$/\1 \2/' | sort >"$tmp/found"
same 'churn 0 0
grow 0 0
grow 20000 1
keep 20000 20' "$(cat "$tmp/found")" 'not the memory that is kept'
run="$t/leaks 1000 20" tool memleak -m 2000 -t 1
same 1 "$(rows '/20000 bytes in 1 blocks/' | wc -l)" 'not the large one alone'

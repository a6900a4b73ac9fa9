#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
# where: both
#
# examples/heapgrow.d: blocks that are kept, freed, and resized: to the byte, by the function that took them.
. "$(dirname "$0")/tool.bash"

run="$t/leaks 1000 20" tool heapgrow
same 'churn 0
grow 0
grow 20000
keep 20000' "$(awk '
	/^leaks`/ && !f { split($1, part, /[`+]/); f = part[2] }
	$2 == "bytes" { if (f) print f, $1; f = "" }' "$tmp/out" | sort)" "not the growth made"

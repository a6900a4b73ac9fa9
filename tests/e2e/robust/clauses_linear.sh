#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 90
#
# Compiling three times as many clauses, each with a map of its own, takes about three times the processor time.
. "$(dirname "$0")/../lib.sh"

# took N: microseconds of processor time for N clauses.
took() {
	for ((i = 0; i < $1; i++)); do echo "BEGIN { @a$i = count(); }"; done >"$tmp/$1.d"
	"$DTX_TRIGGERS/measure" 1 "$DTX" -x cache=off -eqs "$tmp/$1.d" | awk '{ printf "%d\n", $2 }'
}
few=$(took 600) many=$(took 1800)
[ "$few" -gt 10000 ] || fail "600 clauses took $few µs"
[ $((many / few)) -lt 7 ] || fail "600 clauses took $few µs, 1,800 took $many"

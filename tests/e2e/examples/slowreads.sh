#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: btf
#
# examples/slowreads.d: a read of a pipe that nothing is written to for a second.
. "$(dirname "$0")/tool.bash"

echo "$t/sleeper 1000 | cat" >"$tmp/script"
run="sh $tmp/script" tool slowreads 100
awk '$2 == "cat" && $3 == "read" && $4 == 0 && $5 == 0 && $6 >= 100 && $6 < 10000 && $7 == "pipefs" { found = 1 }
	$3 == "read" && $6 < 100 { exit bad = 1 }
	END { exit bad || !found }' "$tmp/out" || { cat "$tmp/out" >&2; fail "the slow read is not there, or a fast one is"; }
grep -q '^Microseconds of all reads' "$tmp/out" && grep -q Distribution "$tmp/out" || fail "no distribution"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: bpftrace
# where: native
# timeout: 120
#
# A program that does nothing: at most 1/2 of the CPU time and of the memory that bpftrace takes, in the same run. How
# long it takes depends on what else runs, so it is only shown here: `make bench T=start`.
. "$(dirname "$0")/../lib.sh"

plain 'it measures time'
for round in warm measured; do
	read -r wall cpu memory < <("$t/measure" 15 "$DTX" -n 'BEGIN { exit(0); }')
	read -r wall2 cpu2 memory2 < <("$t/measure" 9 bpftrace -e 'BEGIN { exit(); }')
	[ -n "${wall:-}" ] || fail "dtx does not run"
	[ -n "${wall2:-}" ] || skip "bpftrace does not run here"
done
echo "dtx: $wall us wall, $cpu us CPU, $memory kB; bpftrace: $wall2 us, $cpu2 us, $memory2 kB ($round)"
echo "time: 1/$((wall2 / wall)); memory: 1/$((memory2 / memory))"
[ $((cpu * 2)) -le "$cpu2" ] || fail "more than 1/2 of the CPU time"
[ $((memory * 2)) -le "$memory2" ] || fail "more than 1/2 of the memory"

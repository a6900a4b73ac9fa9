#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
# where: both
#
# Samples that the kernel does not take: taken + lost are what the clock should have given between two moments, and no more than
# it gives in the whole time. In a guest, where the limit may be set, most are lost.
# truth: profile-N | samples, and samples told as lost, between two moments | the clock
. "$(dirname "$0")/../lib.sh"

sampled() {
	local least most lost taken ns cpus start=${EPOCHREALTIME/[.,]/}
	"$DTX" -n 'uint64_t on; profile-4999 /on/ { @ = count(); } tick-50ms /!on/ { on = timestamp; } tick-500ms /on/ { trace(timestamp - on); exit(0); }
		END { printa("taken %@d\n", @); }' >"$tmp/out" 2>"$tmp/err" || fail "$(cat "$tmp/err")"
	most=$((cpus = $(getconf _NPROCESSORS_ONLN), cpus * 4999 * (${EPOCHREALTIME/[.,]/} - start) / 1000000 + cpus))
	ns=$(awk '/tick-500ms/ { print $NF }' "$tmp/out") taken=$(awk '/taken/ { print $NF }' "$tmp/out")
	lost=$(sed -nE 's/^dtx: lost in all by profile.*: ([0-9]+) samples? not taken.*/\1/p' "$tmp/err") lost=${lost:-0}
	least=$((cpus * (ns * 4999 / 1000000000) - 2 * cpus))
	echo "$taken taken, $lost lost; between $least and $most"
	[ $((taken + lost)) -ge $least ] && [ $((taken + lost)) -le $most ] || fail "taken and lost are not what there should be"
	[ "$lost" -ge "$((taken * $1))" ] || fail "$lost lost, $taken taken: the limit of the kernel leaves more than $1 times as many out"
}
sampled 0
[ -n "${DTX_GUEST:-}" ] || exit 0
limit=/proc/sys/kernel/perf_event_max_sample_rate
before=$(cat $limit)
trap 'echo $before >$limit; rm -rf "$tmp"' EXIT
echo 1000 >$limit || exit 0
sampled 2
# With -q there is no account at the end: so large a loss is told all the same.
dtx -qn 'profile-4999 { @ = count(); } tick-1s { exit(0); }'
grep -qE '^dtx: [0-9]+ samples not taken' "$tmp/err" || fail "not told with -q: $(cat "$tmp/err")"

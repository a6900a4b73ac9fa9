#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root perf
#
# The last values of a run are those of its end, however long dtx then takes to let its probes go: rates are per second of tracing.
. "$(dirname "$0")/../lib.sh"

dtx -x format=json -o "$tmp/run.json" --report "$tmp/run.html" \
	-qn 'profile-100 { @ = count(); } syscall:::entry { @calls[probefunc] = count(); } tick-1100ms { exit(0); }'
end=$(sed -n 's/^{"type":"end","time":\([0-9]*\)[0-9]\{6\},.*/\1/p' "$tmp/run.json")
last=$(grep -o '"span":\[[0-9]*,[0-9]*' "$tmp/run.html" | head -n 1 | sed 's/.*,//')
[ "$end" ] && [ "$last" ] || fail "no end, or no last value: '$end', '$last'"
[ $((last - end)) -le 1 ] || fail "the last value is $((last - end)) ms after the end of the run"

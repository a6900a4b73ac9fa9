#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
#
# Samples beyond the kernel's limit are missing without a count: dtx says so. (The limit is one of the whole machine.)
. "$(dirname "$0")/../lib.sh"

limit=/proc/sys/kernel/perf_event_max_sample_rate
before=$(cat $limit)
trap 'echo $before >$limit; rm -rf "$tmp"' EXIT
dtx -qn 'profile-499 { @ = count(); } tick-100ms { exit(0); }'
[ ! -s "$tmp/err" ] || fail "told below the limit: $(cat "$tmp/err")"
echo 1000 >$limit || skip "the limit cannot be set here"
"$DTX" -x strict -qn 'profile-4999, profile-499 { @ = count(); } tick-100ms { exit(0); }' >"$tmp/out" 2>"$tmp/err"
status=$?
[ $status = 3 ] || fail "status $status, not 3: $(cat "$tmp/err")"
grep -qE '^dtx: 1 profile probe faster than kernel.perf_event_max_sample_rate' "$tmp/err" || fail "not told: $(cat "$tmp/err")"

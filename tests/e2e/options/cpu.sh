#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: opt.cpu
#
# -x cpu=N: probes fire on that CPU only, BEGIN and tick probes too.
. "$(dirname "$0")/../lib.sh"

[ "$(nproc)" -gt 1 ] || skip 'there is one CPU'
for cpu in 0 1; do
	dtx -q -x cpu=$cpu -n 'BEGIN, tick-200ms, profile-997hz, END { @[cpu] = count(); } tick-300ms { exit(0); }'
	[ "$(awk 'NF == 2 { print $1 }' "$tmp/out")" = $cpu ] || fail "on CPU $cpu: $(cat "$tmp/out")"
done

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kmulti
# where: guest
# timeout: 60
#
# Every function of the kernel, by links of many: those that the kernel calls to patch its code are probed last and freed
# first, or each of the others would fire them dozens of times.
. "$(dirname "$0")/../lib.sh"

dtx -qn 'fbt:::entry { @ = count(); } BEGIN { exit(0); }'
cat "$tmp/err"
probes=$("$DTX" -ln 'fbt:::entry' | wc -l)
[ "$probes" -gt 10000 ] || fail "only $probes functions"
[ "$(skipped)" -lt $((10 * probes)) ] || fail "$(skipped) firings of $probes probes while they were attached"

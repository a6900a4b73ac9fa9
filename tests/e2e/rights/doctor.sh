#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: setpriv
#
# Without a capability, messages and the doctor name it and what it is for.
. "$(dirname "$0")/../lib.sh"

# as CAPS ARG…: dtx with these capabilities only.
as() {
	local caps=$1
	shift
	setpriv --bounding-set "-all$caps" --inh-caps "-all$caps" "$DTX" "$@" >"$tmp/out" 2>"$tmp/err"
}
as '' --doctor || fail "--doctor fails without rights: $(cat "$tmp/err")"
for cap in CAP_BPF CAP_PERFMON CAP_SYS_PTRACE; do
	grep -qE "^$cap +no +without it" "$tmp/out" || fail "$cap is not missed: $(cat "$tmp/out")"
done
grep -qE '^syscall +no' "$tmp/out" || fail "syscall probes without rights? $(cat "$tmp/out")"
as '' -n 'BEGIN { exit(0); }' && fail 'it traces without rights'
grep -q 'tracing needs the capabilities CAP_BPF and CAP_PERFMON' "$tmp/err" || fail "$(cat "$tmp/err")"
as ,+bpf -n 'BEGIN { exit(0); }' && fail 'it traces without CAP_PERFMON'
grep -q 'tracing needs the capability CAP_PERFMON' "$tmp/err" || fail "$(cat "$tmp/err")"
as ,+perfmon -n 'BEGIN { exit(0); }' && fail 'it traces without CAP_BPF'
grep -q 'tracing needs the capability CAP_BPF' "$tmp/err" || fail "$(cat "$tmp/err")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: guest
# last: the kernel stays locked down until it is booted again
#
# A kernel that is locked down is recognised and named.
. "$(dirname "$0")/../lib.sh"

mount -t securityfs none /sys/kernel/security 2>/dev/null
[ -w /sys/kernel/security/lockdown ] || skip 'this kernel has no lockdown'
echo confidentiality >/sys/kernel/security/lockdown || skip 'lockdown cannot be switched on here'
"$DTX" -n 'syscall:::entry { @ = count(); } tick-1s { exit(0); }' >"$tmp/out" 2>"$tmp/err" && fail 'it traces all the same'
grep -q 'the kernel is locked down (lockdown=confidentiality)' "$tmp/err" || fail "not named: $(cat "$tmp/err")"
"$DTX" --doctor >"$tmp/out" 2>&1 || fail "$(cat "$tmp/out")"
grep -qE '^no lockdown +no +confidentiality: ' "$tmp/out" || fail "the doctor does not see it: $(cat "$tmp/out")"

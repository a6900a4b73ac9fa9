#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: perf
#
# examples/hotcpu.d: a program that computes for a second of CPU time has 997 samples, nearly all in user code.
. "$(dirname "$0")/tool.bash"

run="$t/spin 1000" tool hotcpu
read -r _ user kernel < <(grep -E '^spin +[0-9]+ +[0-9]+$' "$tmp/out") || fail "spin is not there"
[ "$user" -ge 600 ] && [ "$user" -le 1200 ] && [ "$kernel" -lt "$user" ] || fail "$user user, $kernel kernel samples"
grep -qx 'spin`burn+0x[0-9a-f]*' "$tmp/out" &&
	grep -qx 'spin`main+0x[0-9a-f]*' "$tmp/out" || fail "its stack is not there"

dtx -qs examples/hotcpu.d 1

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# Attaching and detaching every system call takes under 0.3 s.
. "$(dirname "$0")/lib.sh"

read -r none _ < <("$t/measure" 5 "$DTX" -n 'BEGIN { exit(0); }')
read -r all _ < <("$t/measure" 5 "$DTX" -n 'syscall:::entry { @[probefunc] = count(); } BEGIN { exit(0); }')
[ -n "${none:-}" ] && [ -n "${all:-}" ] || fail "no measurement"
echo "an empty program $none us, all system calls $all us"
[ $((all - none)) -lt 300000 ] || fail "attaching and detaching takes $((all - none)) us"

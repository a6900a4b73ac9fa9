#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# Attaching and detaching every system call takes under 0.2 s of CPU time: one pair of programs, not hundreds.
# (How long one waits for it: `make bench T=attach`.)
. "$(dirname "$0")/../lib.sh"

plain 'it measures time'
read -r _ none _ < <("$t/measure" 5 "$DTX" -n 'BEGIN { exit(0); }')
read -r _ all _ < <("$t/measure" 5 "$DTX" -n 'syscall:::entry { @[probefunc] = count(); } BEGIN { exit(0); }')
[ -n "${none:-}" ] && [ -n "${all:-}" ] || fail "no measurement"
echo "CPU time: an empty program $none us, all system calls $all us"
[ $((all - none)) -lt 200000 ] || fail "attaching and detaching takes $((all - none)) us"

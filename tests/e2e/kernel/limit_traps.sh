#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# timeout: 60
#
# maxoverhead counts the traps of kernel probes, too.
# attack: a kernel function that is called all the time has a kprobe, with maxoverhead | it is detached, and its traps are in the account
. "$(dirname "$0")/../lib.sh"

for at in entry return; do
	rm -f "$tmp/out"
	"$DTX" -x maxoverhead=0.01% -qn "BEGIN { printf(\"ready\n\"); } rawfbt::ksys_read:$at { n++; } tick-20s { exit(0); }" >"$tmp/out" 2>"$tmp/err" & run=$!
	begun
	dd if=/dev/zero of=/dev/null bs=1 2>/dev/null & reader=$!
	until_true 20 grep -qs 'is detached' "$tmp/err"
	kill $reader
	kill -INT $run 2>/dev/null
	wait $run
	grep -qE "^dtx: maxoverhead: rawfbt:vmlinux:ksys_read:$at is detached: it took [0-9.]+% of the CPU time \([0-9]+ firings of [0-9]+ ns, traps included, in " "$tmp/err" ||
		fail "$at: $(cat "$tmp/err" "$tmp/out")"
done
exit 0

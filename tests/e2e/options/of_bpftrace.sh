#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: none
#
# Options of bpftrace that dtx has not are refused with what to write instead; so are programs and patterns as operands.
. "$(dirname "$0")/../lib.sh"

instead() {
	"$DTX" "$1" -n 'BEGIN { exit(0); }' 2>"$tmp/err"
	same 2 $? "status of $1"
	grep -qF "instead of $1: $2" "$tmp/err" || { cat "$tmp/err" >&2; fail "$1: not what to write"; }
}
instead --dry-run "-e compiles"
instead --info --features
instead -d -S
instead -k "errors while tracing"
"$DTX" -z 2>&1 | grep -F "instead of" >&2 && fail "an unknown letter has no other name"
for operand in '*sleep*' 'kprobe:vfs_*' 'BEGIN { exit(0); }'; do
	"$DTX" -l "$operand" 2>&1 | grep -qF "a program is given with -n: dtx -n '$operand'; to list probes, use -ln" || fail "-l $operand"
done
"$DTX" -l '*sleep*' 2>&1 | grep -qF "use -ln: dtx -ln '*sleep*')" || fail "-l of a pattern: not what to write"
"$DTX" -lv 'struct file' 2>&1 | grep -qF "pahole -C file" || fail "a type is no probe"

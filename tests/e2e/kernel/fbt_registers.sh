#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: kprobes
# timeout: 60
#
# reg() at entries and returns of kernel functions: those are attached by kprobes, which -v says; registers are arguments and
# results, beside args[], argN and uregs[].
. "$(dirname "$0")/../lib.sh"

reads="$t/reads 1000:3"
by() { grep -qE "vfs_read:$1: 1 function by perf $2 \((for its registers|this kernel has no kprobe.multi)\)" "$tmp/err" || fail "attached otherwise: $(cat "$tmp/err")"; }

dtx -v -qn 'fbt::vfs_read:entry /pid == $target && arg2 == 1000/ {
	printf("%d %d %d %d\n", reg("'$R1'") == arg0, reg("'$R2'") == (uint64_t)args[1], reg("'$R3'") == args.count, uregs['$U3']); exit(0); }' -c "$reads"
grep -qx '1 1 1 1000' "$tmp/out" || fail "entry: $(cat "$tmp/out")"
by entry kprobes

dtx -v -qn 'fbt::vfs_read:return /pid == $target && arg1 == 1000/ { printf("%d %d\n", reg("'$RESULT'"), retval); exit(0); }' -c "$reads"
grep -qx '1000 1000' "$tmp/out" || fail "return: $(cat "$tmp/out")"
by return kretprobes

# Many functions: each has its registers.
dtx -qn 'fbt::vfs_r*:entry /pid == $target && probefunc == "vfs_read"/ { @[reg("'$R3'") == arg2 ? "same" : "differs"] = count(); }' -c "$reads"
[ "$(value differs)" = 0 ] && [ "$(value same)" -ge 3 ] || fail "many: $(cat "$tmp/out")"

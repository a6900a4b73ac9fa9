#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes
#
# Kernels take a vector instruction for the one-byte instruction of its opcode and run that instead: no probe is set
# on it, by name with the reason, by a pattern in silence; the program computes what it does without dtx.
. "$(dirname "$0")/../lib.sh"

grep -qw avx2 /proc/cpuinfo || skip 'the processor has no AVX2'
"$DTX" -qn "uprobe:$t/vector:spread { @ = count(); }" 2>"$tmp/err" && fail 'a probe is set on a vector instruction'
grep -q 'cannot set probes on the instruction' "$tmp/err" || fail "$(cat "$tmp/err")"
dtx -qn "pid\$target:vector::entry { @ = count(); } pid\$target:vector:main:entry { printf(\"main\\n\"); }" -c "$t/vector 4"
same $'main\n4141414141414141 4' "$(grep main "$tmp/out"; sort "$tmp/out" | uniq -c | awk '/41/ { print $2, $1 }')" 'what the program computes'

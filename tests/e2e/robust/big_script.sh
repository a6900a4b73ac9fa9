#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# timeout: 60
#
# A script of 1,000 lines with 100 clauses: it loads and ends well, in less than 100 MB; and its code stays short, which is
# what the time for compiling and loading it depends on (how long that takes depends on the machine, and is no test).
. "$(dirname "$0")/../lib.sh"
calls=(read write openat close mmap munmap poll lseek brk ioctl)
for ((i = 0; i < 100; i++)); do
	printf 'syscall::%s:%s\n/pid != $pid && arg0 != %d/\n{\n' "${calls[i % 10]}" "$( ((i % 2)) && echo return || echo entry)" $i
	printf '\tself->t%d = timestamp;\n\tthis->n = arg0 + %d;\n' $i $i
	printf '\t@c%d[execname, probefunc] = count();\n\t@q%d[pid] = quantize(this->n);\n\ttotal%d += this->n;\n}\n\n' $((i % 20)) $((i % 10)) $i
done >"$tmp/big.d"
[ "$(wc -l <"$tmp/big.d")" = 1000 ] || fail "the script has not 1,000 lines"

dtx -wqs "$tmp/big.d" -n 'BEGIN { system("grep VmHWM /proc/%d/status", pid); exit(0); }'
memory=$(awk '/VmHWM/ { print $2 }' "$tmp/out")
[ -n "${DTX_SLOW:-}" ] || { [ "$memory" -gt 1000 ] && [ "$memory" -lt 100000 ]; } || fail "$memory kB of memory"

dtx -eS bpf -s "$tmp/big.d"
insns=$(grep -cE '^	([rw][0-9]|if |goto |call |lock |\*\(|exit)' "$tmp/err" "$tmp/out" | awk -F: '{ n += $NF } END { print n }')
[ "$insns" -gt 5000 ] && [ "$insns" -lt 12000 ] || fail "$insns instructions"

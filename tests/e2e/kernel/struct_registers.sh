#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A struct of two words that the kernel passes and returns in two registers, by every kind of probe.
# needs: kprobes
. "$(dirname "$0")/../lib.sh"

matches kprobe:timespec64_add_safe || skip "this kernel has no function timespec64_add_safe"

# read -t waits by select(), which adds the time to that of now.
wait='bash -c "read -t 1.25 < <(sleep 1.5)"'
while IFS='|' read -r clause want; do
	dtx -qn "$clause" -c "$wait"
	grep -qxF "$want" "$tmp/out" || fail "$clause: $(cat "$tmp/out")"
done <<'END'
kprobe:timespec64_add_safe { printf("%d %d\n", lhs.tv_sec > 2, rhs.tv_sec); }|1 1
fbt::timespec64_add_safe:entry { printf("%d %d\n", args[0].tv_nsec < 1000000000, args[1].tv_sec); }|1 1
kretprobe:timespec64_add_safe { printf("%d %d\n", retval.tv_sec > 2, retval.tv_nsec < 1000000000); }|1 1
fbt::timespec64_add_safe:return { printf("%d %d\n", args[1].tv_sec > 2, args[1].tv_nsec < 1000000000); }|1 1
END

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# watchpoint: each write, each access of a variable of the target; descriptions that cannot be.
# needs: perf setarch
# where: both
. "$(dirname "$0")/../lib.sh"
set -e
counted=$DTX_TRIGGERS/counted failed=0
err=$tmp/err
at=$(setarch -R "$counted" where)
main=$(nm "$counted" | awk '$3 == "main" { print $1 }')

# One at a time: emulated processors tell of one watchpoint where several are hit.
wants=("$at w 7" "$at rw 14")
# arm64 ignores the highest byte of an address: a tag of a program's pointer does not make it one of the kernel.
if [ "$(uname -m)" = aarch64 ]; then wants+=("$(printf 0x%x $((at | 0xb4 << 56))) w 7"); fi
for want in "${wants[@]}"; do
	read -r addr mode writes <<<"$want"
	got=$(setarch -R "$DTX" -qn "syscall::getpgid:entry /pid == \$target/ { on = 1; }
		syscall::getpid:entry /pid == \$target/ { on = 0; }
		watchpoint:$addr:8:$mode /on/ { n++; } END { printf(\"%d\", n); }" -c "$counted watch 7" 2>"$err") || failed=1
	if grep -q "no debug registers" "$err"; then cat "$err" && exit 77; fi
	if [ "$got" != "$writes" ]; then echo "$want: '$got'" && cat "$err" && failed=1; fi
done

# Execution: the address of main, where this program is loaded.
main=$(printf '0x%x' $((at - 0x$(nm "$counted" | awk '$3 == "watched" { print $1 }') + 0x$main)))
got=$(setarch -R "$DTX" -qn "watchpoint:$main:1:x { n++; } END { printf(\"%d\", n); }" -c "$counted watch 1")
if [ "$got" != 1 ]; then echo "main: '$got'" && failed=1; fi

refused "name its process with -p or -c" -n 'watchpoint:0x1000:8:w { }'
refused "must be a multiple of its length" -n 'watchpoint:0x1001:8:w { }'
refused "1, 2, 4 or 8 bytes long" -n 'watchpoint:0x1000:3:w { }'
refused "made of the letters r, w and x" -n 'watchpoint:0x1000:8:q { }'
refused "watch w, rw or x, no other mode" -n 'watchpoint:0x1000:8:r { }'
exit $failed

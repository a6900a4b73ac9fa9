#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: qemu-riscv64
# where: native
#
# dtx-run of riscv64, where QEMU runs its program and this kernel answers it (make check-riscv64 builds it): it starts, reads an image as
# this machine does, and what is missing, bpf(2), is refused with the reason.
. "$(dirname "$0")/../lib.sh"
plain 'it runs a program of another machine'
made=$(dirname "$DTX")/riscv64
[ -x "$made/dtx-run" ] || skip 'build/riscv64/dtx-run is not built: make check-riscv64'
there() { qemu-riscv64 -L "$made/sysroot" "$made/dtx-run" "$@"; }
same() { diff <(echo "$1") <(echo "$2") >&2 || fail "$3"; }

same "$("$DTX-run" --version)" "$(there --version)" '--version'

# Each provider is asked, and says why it has no probes.
there --doctor >"$tmp/doctor" || fail '--doctor'
grep -q '^kernel  *no .*bpf(2) is refused' "$tmp/doctor" || skip 'this QEMU has bpf(2)'
same "$("$DTX-run" --doctor | sed '1,/^$/d; s/ .*//')" "$(sed '1,/^$/d; s/ .*//' "$tmp/doctor")" 'providers of --doctor'
same 'dtrace' "$(sed '1,/^$/d' "$tmp/doctor" | awk '$2 != "no" || NF < 5 { print $1 }')" 'without a reason'

# An image: read as here, and not run.
"$DTX" --image "$tmp/image" -n 'BEGIN { @a[execname, 1] = quantize(timestamp); x = 2; } syscall::read:entry /x/ { @b = sum(arg2); }' || fail image
same "$("$DTX-run" --inspect "$tmp/image")" "$(there --inspect "$tmp/image")" '--inspect'
there "$tmp/image" >"$tmp/out" 2>"$tmp/err" </dev/null && fail "it runs: $(cat "$tmp/out")"
same 'dtx-run: the kernel refuses bpf(2) although the capabilities are held' "$(grep -o '^.*are held' "$tmp/err")" "$(cat "$tmp/err")"
[ ! -s "$tmp/out" ] || fail "printed: $(cat "$tmp/out")"
exit 0

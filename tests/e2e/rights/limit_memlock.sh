#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: setpriv
# where: guest
# Too little memory that may be locked, in kernels that take BPF's from it: what is missing is named.
. "$(dirname "$0")/../lib.sh"

IFS=.- read -r major minor _ < <(uname -r)
[ $((major * 100 + minor)) -lt 511 ] || skip "this kernel counts BPF's memory another way: it takes one before 5.11"
refused=0
for kb in 0 8 16 64 1000; do
	(ulimit -l $kb && exec setpriv --bounding-set -sys_resource --inh-caps -sys_resource \
		"$DTX" -qn 'BEGIN { @[pid] = count(); exit(0); }') >"$tmp/out" 2>"$tmp/err" && continue
	refused=$((refused + 1))
	grep -q "^dtx: only $kb KiB of memory may be locked.*ulimit -l" "$tmp/err" || fail "$kb KiB: $(cat "$tmp/err")"
done
[ $refused -ge 3 ] || fail "refused $refused times"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# where: native
#
# The code of an aggregation without keys: the number of the CPU is masked as the helper gives it, and what is added, is added at an
# address without an offset, for which arm64 would need two more instructions.
. "$(dirname "$0")/../lib.sh"

while read -r clause; do
	dtx -x cache=off -S bpf -e -n "BEGIN { $clause }"
	sed -n '/^dtx_prog_0:/,/^\.Lfunc_end/{ /#/d; p; }' "$tmp/out" >"$tmp/code"
	grep -A 1 'call 8$' "$tmp/code" | tail -n 1 | grep -q 'r0 &= 1685354611' || fail "$clause: the number of the CPU is moved: $(cat "$tmp/code")"
	grep -E 'lock|atomic' "$tmp/code" | head -n 1 | grep -q ' + 0)' || fail "$clause: an offset: $(cat "$tmp/code")"
done <<'END'
@ = count();
@ = sum(pid);
@ = quantize(pid);
@ = avg(pid);
END

# A record and a key have the number, too: one call gives it.
dtx -x cache=off -S bpf -e -n 'BEGIN { @ = count(); trace(1); @of[cpu] = quantize(cpu); }'
same 1 "$(sed -n '/^dtx_prog_0:/,/^\.Lfunc_end/p' "$tmp/out" | grep -c 'call 8$')" 'calls for the number of the CPU'

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: uprobes objdump
# where: both
#
# pid123:OBJECT:FUNCTION: is entry, return and every instruction: those of objdump, each as often as the program runs
# it. An offset inside of an instruction is refused, and so is one the kernel cannot probe.
. "$(dirname "$0")/../lib.sh"

# offsets OBJECT FUNCTION: where objdump sees instructions begin, from the start of the function.
offsets() {
	local start='' at rest
	while read -r at rest; do
		if [ "$rest" = "<$2>:" ]; then start=$at; elif [ -z "$at" ]; then start=''; fi
		if [ -n "$start" ] && [[ $at = *: ]]; then printf '%x\n' $((0x${at%:} - 0x$start)); fi
	done < <(objdump -d --no-show-raw-insn --disassemble="$2" "$1")
}

dtx -qn 'pid$target:a.out:inner: { @[probename] = count(); }' -c "$t/mallocs 8:5"
same "$({ offsets "$t/mallocs" inner; echo entry; echo return; } | awk '{ print $1, 5 }' | sort)" \
	"$(awk 'NF == 2 { print $1, $2 }' "$tmp/out" | sort)" "not each instruction of inner() five times"

# One instruction by its offset, in both spellings; no arguments there, but registers.
off=$(offsets "$t/mallocs" inner | sed -n 4p)
dtx -qn "pid\$target:mallocs:inner:$off, uprobe:$t/mallocs:inner+0x$off { @[probename] = count(); }" -c "$t/mallocs 8:5"
same "$off 10" "$(awk 'NF == 2 { print $1, $2 }' "$tmp/out")" "not the instruction at $off"
dtx -qn "pid\$target:mallocs:inner:entry { printf(\"%d\\n\", uregs[$U1] == arg0 && uregs[R_PC] == uregs[$UPC]); exit(0); }" -c "$t/mallocs 8:5"
same 1 "$(grep . "$tmp/out")" "uregs[] are not those of the function"

"$DTX" -qn "pid\$target:a.out:inner:2 { }" -c "$t/mallocs 8:1" 2>"$tmp/err" && fail "an offset inside of an instruction was accepted"
near=$(offsets "$t/mallocs" inner | awk '$1 < 2 { low = $1 } $1 > 2 { print low " and " $1; exit }')
grep -q "no instruction of inner begins at 2; the nearest begin at $near" "$tmp/err" || { cat "$tmp/err" >&2; fail "no word on the offset"; }
"$DTX" -qn "uprobe:$t/mallocs:inner+2 { }" 2>"$tmp/err" && fail "uprobe: an offset inside of an instruction was accepted"

# All places that are listed for a function of libc with prefixes, vectors and tables can be had.
dtx -vqn 'pid$target:libc.so.6:vfprintf:, pid$target:libc.so.6:qsort: { @ = count(); }' -c "$t/mallocs 8:1"
! grep 'not attached' "$tmp/err" >&2 || fail "listed, but not to be had"

# Within a function there are no arguments: argN is 0, and dtx says so.
dtx -qn 'pid$target:a.out:main:0 { trace(arg0); exit(0); } pid$target:a.out:main:entry { x = arg0; }' -c "$t/spin 1"
grep -q 'main:0 has no arguments: arg0 is 0' "$tmp/err" && [ "$(grep -c 'has no arguments' "$tmp/err")" = 1 ] || fail "argN within a function: $(cat "$tmp/err")"

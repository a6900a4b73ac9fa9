#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: gcc
# where: native
#
# The kernel refuses a program: the D line, what the verifier's words mean, the words, what to do; the option bpflog gives the
# whole log, which may be long. The words themselves: tests/unit/test_refusal.c.
. "$(dirname "$0")/../lib.sh"

plain 'the library preloaded stands in front of the sanitizers'
lib=$tmp/refuse.so
gcc -O1 -shared -fPIC -o "$lib" tests/fault/refuse.c || fail 'the library does not compile'
tail=$'processed 3 insns (limit 1000000) max_states_per_insn 0\n'

# said LOG ARG…: what dtx says, refused with this log.
said() {
	printf '%s' "$1" >"$tmp/log"
	shift
	DTX_REFUSE=$tmp/log LD_PRELOAD=$lib "$DTX" "$@" >"$tmp/out" 2>&1 && fail "the program was not refused: $(cat "$tmp/out")"
	cat "$tmp/out"
}

printf 'BEGIN\n{\n\tx = 1;\n\texit(0);\n}\n' >"$tmp/a.d"
same "$tmp/a.d:3:2: error: the kernel refuses the program for dtrace:::BEGIN here: a value is used that was never set
    3 | 	x = 1;
      | 	^~~~~~
$tmp/a.d:3:2: note: the verifier says: R5 !read_ok
      = help: dtx should not make such a program: please report it with the verifier's log, which -x bpflog prints" \
	"$(said $'; \tx = 1; @ a.d:3\n3: (b7) r0 = r5\nR5 !read_ok\n'"$tail" -qs "$tmp/a.d" | sed "s|^dtx: note|$tmp/a.d:3:2: note|")" 'a refusal at a line'
log=$'R5 !read_ok\n'$tail
said "$log" -x bpflog -qs "$tmp/a.d" | grep -qF "${log%%$'\n'*}"$'\n' || fail "no log: $(cat "$tmp/out")"
said "$log" -x bpflog -x bpflogsize=1m -qs "$tmp/a.d" >"$tmp/sized"
grep -q '^prog .dtx_prog_0' "$tmp/sized" && grep -q 'a value is used that was never set' "$tmp/sized" || fail "with bpflogsize: $(cat "$tmp/sized")"
long=$(yes '1: (07) r0 += 1                       ; R0_w=1' | head -c 20000000)$'\n'"BPF program is too large. Processed 1000001 insn"$'\n'
said "$long$tail" -qs "$tmp/a.d" >/dev/null
grep -q 'here: it needs more steps than the verifier follows$' "$tmp/out" && grep -q 'help: make the clauses smaller or fewer$' "$tmp/out" ||
	fail "after a long log: $(head -c 2000 "$tmp/out")"

# What is too large is told at the line that takes most of the steps, not at the last one.
steps() { yes "$1: (07) r0 += 1" | head -n "$2"; }
printf 'BEGIN\n{\n\tx = 1;\n\ty = 2;\n\texit(0);\n}\n' >"$tmp/b.d"
log="; x = 1; @ b.d:3
$(steps 3 10)
; y = 2; @ b.d:4
$(steps 4 30)
; static inline u64 f(void) @ lib.bpf.c:3
$(steps 5 30)
; x = 1; @ b.d:3
$(steps 3 20)
BPF program is too large. Processed 1000001 insn
"
same "$tmp/b.d:4:2: error: the kernel refuses the program for dtrace:::BEGIN here: it needs more steps than the verifier follows
    4 | 	y = 2;
      | 	^~~~~~
dtx: note: the verifier says: BPF program is too large. Processed 1000001 insn
dtx: note: this line takes most of the verifier's steps: 60 of the 90 that it reported
      = help: make the clauses smaller or fewer" "$(said "$log$tail" -qs "$tmp/b.d")" 'the line that costs most'
said '' -qs "$tmp/a.d" | grep -q 'the kernel rejects the program (Permission denied)' || fail "without words: $(cat "$tmp/out")"

#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# row: var.uregs names.regs builtins.uregs
# needs: uprobes
#
# uregs[] with the constants of the library: at the entry of a function the registers are its arguments, and the return address
# is where a call leaves it.
# truth: uregs[] of a program | the first argument, stack pointer, program counter, return address | argN, ucaller, the program's own call
. "$(dirname "$0")/../lib.sh"

case $(uname -m) in
aarch64) sp=R_SP pc=R_PC back='(uregs[R_LR] & 0xffffffffffff)' ;;
*)       sp=R_RSP pc=R_RIP back='*(uint64_t *)copyin(uregs[R_SP], 8)' ;;
esac
dtx -qn 'pid$target:a.out:nap:entry {
	printf("%d %d\n", uregs['$U1'], uregs['$U1'] == arg0);
	printf("%d %d\n", uregs[R_SP] == uregs['$sp'], uregs[R_PC] == uregs['$pc']);
	printf("%d\n", '"$back"' == ucaller);
	exit(0); }' -c "$t/sleeper 7"
same "7 1
1 1
1" "$(grep . "$tmp/out")" 'uregs[]'

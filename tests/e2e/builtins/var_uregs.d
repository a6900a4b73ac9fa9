/* SPDX-License-Identifier: BSD-2-Clause */
// row: var.uregs names.regs
/* uregs[] with the constants of the library: at the entry of a function the registers are its arguments. */
// trigger: sleeper 7
#pragma D option quiet
pid$target:a.out:nap:entry
{
	printf("%d %d\n", uregs[R_RDI], uregs[R_RDI] == arg0);
	printf("%d %d\n", uregs[R_SP] == uregs[R_RSP], uregs[R_PC] == uregs[R_RIP]);
	printf("%d\n", *(uint64_t *)copyin(uregs[R_SP], 8) == ucaller);
	exit(0);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.s - how a function of a test begins and ends; with call frame information if CFI is defined. */
	.text
	.macro function name
	.p2align 4
	.globl \name
	.type \name, @function
\name:
	.ifdef CFI
	.cfi_startproc
	.endif
	.endm
	.macro done name
	.ifdef CFI
	.cfi_endproc
	.endif
	.size \name, . - \name
	.endm

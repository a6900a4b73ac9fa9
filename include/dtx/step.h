/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step.h - where a variable lies, or its value, as steps on a stack of 64-bit numbers.  Made from
 * debugging information and calling conventions, turned into code by emit_steps.c;
 * base/tables/steps.c.
 */
#ifndef DTX_STEP_H
#define DTX_STEP_H

#include "base.h"

enum step_op {
	STEP_REG,        /* pushes the word at byte n of struct pt_regs */
	STEP_NUM,        /* pushes the number n */
	STEP_SYM,        /* pushes the address of a symbol of the kernel: MODULE`NAME */
	STEP_READ,       /* replaces an address by the n bytes of memory there, unsigned */
	STEP_ENTRY,      /* takes the address where a function begins (of the kernel: dtx_arg.entry)
			  * and that of its frame (the CFA), and pushes what word n of struct
			  * pt_regs was at the entry of this call */
	STEP_WORD,       /* ends the steps to 8 bytes of a larger value: the next ones follow */
	/* Operators as in DWARF 5, 2.5.1.3 and 2.5.1.4. */
	STEP_ADD, STEP_SUB, STEP_MUL, STEP_MOD, STEP_AND, STEP_OR, STEP_XOR, STEP_SHL, STEP_SHR,
	STEP_SHRA, STEP_EQ, STEP_NE, STEP_LT, STEP_GT, STEP_LE, STEP_GE, STEP_NEG, STEP_NOT,
	STEP_DUP, STEP_DROP, STEP_SWAP, STEP_OVER, STEP_ROT,
	STEP_PICK,       /* takes a, b and c, and leaves a if c is not 0, else b */
	STEP_N
};

#define DTX_STEPS_DEEP 16        /* numbers on the stack */

struct dtx_step {
	enum step_op op;
	s64 n;
	const char *symbol;      /* STEP_SYM */
};

struct dtx_steps {
	struct dtx_step *v;
	u32 n;
};

/* How many numbers a step takes from the stack, and how many it leaves there instead. */
struct step_kind {
	const char *word;
	u8 takes, leaves;
};
extern const struct step_kind step_kinds[];

void steps_add(struct arena *, struct dtx_steps *, enum step_op, s64 n);
void steps_add_symbol(struct arena *, struct dtx_steps *, const char *symbol);
/* The number `off` is added to what the steps before leave; nothing for 0. */
void steps_add_offset(struct arena *, struct dtx_steps *, s64 off);
/* Are they nothing but a register?  Then its byte in struct pt_regs. */
bool steps_are_register(const struct dtx_steps *, u32 *off);
bool steps_same(const struct dtx_steps *, const struct dtx_steps *);
bool step_same(const struct dtx_step *, const struct dtx_step *);
/* "r16 n8 + d4": the word of each step, a blank between them. */
void steps_text(const struct dtx_steps *, struct buf *);

#endif

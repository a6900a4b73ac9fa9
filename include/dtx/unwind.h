/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unwind.h - the table by which a stack of a program is unwound, shared by the kernel side and the
 * user side.  Which registers it follows, and their numbers, an architecture says: facts.h.
 *
 * runtime/unwind/unwind.c makes one table for each object (program, library, vDSO) from its call
 * frame information; bpf/ reads it.  The file that includes this
 * defines u8 … u64, s16, s32.
 *
 * A table is an array of 32-bit words in chunks of 16 KB, so that each chunk can be a value of a
 * BPF array.  A place in it is the number of a word: chunk = place / DTX_UW_CHUNK_WORDS.  Nothing
 * below crosses the end of a chunk: the header, a rule, an entry of the page index, the rows of a
 * page.
 *
 *   header      struct dtx_uw_head, at place 0
 *   rules       struct dtx_uw_rule, each distinct one once, `rules` + the words of a rule for
 *               each number before it; rule 0 is DTX_UW_NONE
 *   page index  for each range of the file, one word for each 4 KB page: the place of its rows;
 *               0: the page has none; DTX_UW_ASK: not made yet
 *   rows        (offset in the page << 20) | number of the rule, sorted; a row holds up to the
 *               next one, the last one to the end of the page.  The first row of a page stands for
 *               offset 0; in its place of the offset it has the number of rows that follow it.
 *
 * The table of a large file is made by parts, of the pages that stacks lead to: when a program
 * finds a page that is not made it asks for it (DTX_SIGHT_PAGE in dtx/stack.h).  The rows of a page
 * and their rules are there before its word in the index tells of them, and change no more.  There
 * rules are among the rows, and `rules` is 0.
 *
 * To find the rule for a file offset: its range in the header, the page's entry in the index, the
 * first row of the page, then a binary search in the rows that follow (at most 4095).  Callers are
 * looked up with their return address - 1, unless they were interrupted by a signal.
 *
 * Registers have the numbers of DWARF.
 * Why: docs/decisions/35-unwind-tables.md
 */
#ifndef DTX_UNWIND_H
#define DTX_UNWIND_H

#include <facts.h>

#define DTX_UW_MAGIC         0x64757731u /* "duw1" */
#define DTX_UW_CHUNK_BYTES   16384u
#define DTX_UW_CHUNK_WORDS   4096u
#define DTX_UW_PAGE_SHIFT    12
#define DTX_UW_PAGES         (1u << 20) /* code in the first 4 GB of a file */
#define DTX_UW_RANGES        8           /* executable segments of one object; more: not covered */

#define DTX_UW_ASK           1u          /* in the page index; no place of rows: in the header */

#define DTX_UW_ROW_SHIFT     20
#define DTX_UW_ROW_RULE      0xfffffu

/* A part of the file that is mapped executable. */
struct dtx_uw_range {
	u32 first, npages;       /* pages of the file */
	u32 index;               /* place of the entry for the first page */
};

struct dtx_uw_head {
	u32 magic;
	u32 nwords;              /* that are used */
	u32 nranges;
	u32 rules, nrules;       /* place of rule 0; number of rules */
	u32 nrows;
	struct dtx_uw_range range[DTX_UW_RANGES];        /* sorted, do not overlap */
};

/* How the frame is unwound. */
enum dtx_uw_kind {
	DTX_UW_NONE,             /* nothing is known here: try the frame pointer */
	DTX_UW_CFA,              /* CFA = register + off */
	DTX_UW_CFA_AT,           /* CFA = 64-bit word at (register + off), + off2 */
	DTX_UW_SIGNAL,           /* the caller was interrupted: all of its registers are in the
				  * struct sigcontext (asm/sigcontext.h) at register + off */
	DTX_UW_PLT,              /* CFA = register + off + ((pc & 15) >= off2 ? 8 : 0) */
	DTX_UW_END,              /* the outermost frame: a stack that arrives here is whole */
	DTX_UW_CANNOT,           /* described, but not in a way that this table can hold */
	DTX_UW_GOROUTINE,        /* CFA = the goroutine's stack pointer, in memory, + off.  Older
				  * programs ask for reg, which is one that is not known */
	DTX_UW_GOBUF,            /* the goroutine was interrupted, and its registers are in memory;
				  * the same of older programs */
};

/* Registers of the caller that a rule tells, by their role; ARCH_DWARF_SAVED has their numbers. */
enum dtx_uw_reg {
	DTX_UW_RA,               /* return address */
	DTX_UW_SP,               /* stack pointer */
	DTX_UW_FP,               /* frame pointer */
	DTX_UW_KEPT,             /* and the other ones that functions keep */
	DTX_UW_REGS = ARCH_UW_REGS
};

/*
 * at[i] belongs to the register i of enum dtx_uw_reg.  A bit i says where its value is; at most
 * one of these is set:
 *   saved   in memory at CFA + at[i]
 *   based   in memory at (register `base`) + at[i]
 *   inreg   in the register of number at[i]
 *   lost    it is not known
 * None of them: SP is the CFA, the others have not changed.  In DTX_UW_SIGNAL none is set; in
 * kinds with a CFA, RA is in one of the first three.
 */
#define DTX_UW_ELSEWHERE     1   /* the caller's frame is on another stack: anywhere */
#define DTX_UW_DERIVED       2   /* made from the instructions: no one has written it down */

/* What a rule has room for: at least ARCH_UW_ROOM. */
#define DTX_UW_AT  ((ARCH_UW_RULE_BYTES - 12 - 4 * sizeof(ARCH_UW_MASK)) / 2)

struct dtx_uw_rule {
	u8 kind;                 /* enum dtx_uw_kind */
	u8 reg, base;            /* numbers of DWARF, below ARCH_DWARF_REGS */
	u8 flags;                /* DTX_UW_ELSEWHERE, DTX_UW_DERIVED */
	ARCH_UW_MASK saved, based, inreg, lost;
	s32 off, off2;           /* bytes */
	s16 at[DTX_UW_AT];       /* bytes, or the number of a register */
};

/* Without padding: it is compared as bytes.  A power of two: none crosses the end of a chunk. */
_Static_assert(sizeof(struct dtx_uw_rule) == ARCH_UW_RULE_BYTES, "layout");
_Static_assert(!(ARCH_UW_RULE_BYTES & (ARCH_UW_RULE_BYTES - 1)) && DTX_UW_REGS <= ARCH_UW_ROOM &&
	       ARCH_UW_ROOM <= DTX_UW_AT && DTX_UW_REGS <= 8 * sizeof(ARCH_UW_MASK), "layout");
_Static_assert(sizeof(struct dtx_uw_head) % 4 == 0, "layout");

#endif

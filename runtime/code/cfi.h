/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfi.h - call frame information, shared by the files that make unwind tables.
 *
 * DWARF 5, section 6.4, with the differences of .eh_frame (Linux Standard Base, "Exception
 * Frames").  All bytes are those of somebody else's file: nothing in them is trusted.
 */
#ifndef DTX_CFI_H
#define DTX_CFI_H

#include "runtime/code/tables.h"
#include <dtx/unwind.h>

/* ---- cfi.c: reading ------------------------------------------------------------------- */

/* Bytes that are read from the front.  At the end, reading gives 0 and sets `bad`. */
struct cfi_bytes {
	const u8 *at, *end;
	bool bad;
};

static inline u8 cfi_byte(struct cfi_bytes *b)
{
	if (b->at < b->end)
		return *b->at++;
	b->bad = true;
	return 0;
}
u64 cfi_uint(struct cfi_bytes *, u32 size);      /* size: 1, 2, 4, 8 */
u64 cfi_uleb(struct cfi_bytes *);
s64 cfi_sleb(struct cfi_bytes *);
/* A value in an encoding of DW_EH_PE_*; `addr`: address of the next byte. */
u64 cfi_pointer(struct cfi_bytes *, u8 encoding, u64 addr);
struct cfi_bytes cfi_block(struct cfi_bytes *);          /* a length as ULEB128, then bytes */

/* Where the caller's value of a register is. */
enum cfi_how {
	CFI_SAME,
	CFI_UNDEFINED,
	CFI_SAVED,               /* at CFA + n */
	CFI_EXPR,                /* at the address that an expression computes */
	CFI_INREG,               /* in register n */
	CFI_LOST,                /* a value that an expression computes: not supported */
};
struct cfi_where {
	enum cfi_how how;
	s64 n;
	struct cfi_bytes expr;
};

/* A row of the table that a call frame program describes. */
struct cfi_state {
	bool by_expr;            /* the CFA is the value of an expression, else reg + off */
	u64 reg;
	s64 off;
	struct cfi_bytes expr;
	struct cfi_where regs[DTX_UW_REGS];
};

/* Common information of functions. */
struct cfi_cie {
	size_t off;              /* in the section */
	u64 code_align;
	s64 data_align;
	u64 ra;                  /* number of the column of the return address */
	u8 encoding;             /* of addresses in FDEs: DW_EH_PE_* */
	bool sized;              /* FDEs have augmentation data */
	bool catches;            /* FDEs may have a table of landing pads */
	bool usable;
	struct cfi_state first;
	struct dtx_uw_rule rule; /* of that */
};

struct cfi_section {
	const u8 *data;
	size_t len;
	u64 addr;                /* of the data, in the object */
	bool is_debug;           /* .debug_frame, else .eh_frame */
	VEC(struct cfi_cie) cies;        /* sorted by off */
};

/* A range of code with its program. */
struct cfi_fde {
	u64 begin, end;          /* addresses in the object */
	const struct cfi_cie *cie;       /* NULL: of Go, and prog are the sizes of its frame */
	struct cfi_bytes prog;
};
typedef VEC(struct cfi_fde) cfi_fdes;

/* Adds all FDEs of a section, not sorted.  They point to the section and its CIEs.  Returns where
 * the entries end, in bytes. */
size_t cfi_read(struct cfi_section *, cfi_fdes *);

/* ---- cfisection.c: sections ---------------------------------------------------------------- */

bool cfi_find(Elf *, const char *name, struct cfi_section *);
/* .eh_frame without section headers: the header for exception handling says where it begins. */
bool cfi_find_by_header(Elf *, struct cfi_section *);
/* The rest of the segment at this address, which is also that of its part in memory. */
const Elf_Data *cfi_segment(Elf *, u64 addr);

/* ---- unwind.c: a table -------------------------------------------------------------------- */

/* Of the code at these addresses, whose places count from its start; sorts the functions.
 * `cfi`: bytes of their information. */
struct unwind_table *unwind_code(cfi_fdes *, u64 start, u64 end, u64 cfi);

/* ---- cfirun.c: the interpreter ---------------------------------------------------------- */

/* Runs the first instructions of a CIE; false: they are malformed. */
bool cfi_begin(struct cfi_cie *, struct cfi_bytes prog);
/* Calls row() for each row of the function, in order of addresses; the first one is at begin. */
void cfi_run(const struct cfi_fde *,
	     void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *), void *arg);

/* ---- codeflow.c: code without information --------------------------------------------- */

typedef void codeflow_row(void *arg, u64 addr, const struct dtx_uw_rule *);
/* What is known of code: where the program begins, and n places where functions do. */
struct codeflow_known { u64 entry; const u64 *starts; u32 n; };
/* Rules for the code at this address, in order. */
void codeflow_rules(const u8 *code, u64 addr, u32 len, const struct codeflow_known *,
		    codeflow_row *, void *arg);

/* ---- pclntab.c: what Go keeps of its functions -------------------------------------------- */

struct gofunc {
	u64 begin, end;          /* addresses in the object */
	const char *name;        /* lives as long as the object */
	struct cfi_bytes sp;     /* the sizes of its frame */
	struct cfi_bytes files, lines;
	u64 unit;                /* that its numbers of files belong to */
};
/* Calls found() for each function, in order; false: no program of Go, or an unknown format. */
bool gotab_each(Elf *, void (*found)(void *arg, const struct gofunc *), void *arg);
/* As cfi_run(), of a function with such sizes. */
void gotab_frames(const struct cfi_fde *,
		  void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *), void *arg);

/* ---- goasm.c: functions of Go that are written in assembly ------------------------------- */

#define GO_ASM  32               /* of which dtx knows more than their information says */
struct goasm {
	u32 n;                   /* 0: no program of Go */
	struct { u64 addr; u32 row; } at[GO_ASM];
};
void goasm_note(struct goasm *, const char *name, u64 addr);     /* any symbol of the object */
/* The rule of the function that begins here; NULL: as its information says. */
const struct dtx_uw_rule *goasm_rule(const struct goasm *, u64 begin);
/* Does the function move to another stack on its way?  Then its rule is valid in its code from
 * *from to *to. */
bool goasm_moves(const struct goasm *, u64 begin);
void goasm_moved(const u8 *code, u64 len, u64 *from, u64 *to);

/* ---- unwindtab.c: writing a table ---------------------------------------------------- */

struct uwtab;
struct uwtab *uwtab_new(void);
/* Code in these pages of the file follows.  false: the table cannot hold this range. */
bool uwtab_range(struct uwtab *, u64 first, u64 npages);
/* From this place of the file on, up to the next row or the end of the range.  Places of a range
 * are given in their order; the last one of several at one place holds. */
void uwtab_row(struct uwtab *, u64 file_off, const struct dtx_uw_rule *);
/* Frees the uwtab; `cfi`: bytes that were read for it. */
struct unwind_table *uwtab_end(struct uwtab *, u64 cfi);

#endif

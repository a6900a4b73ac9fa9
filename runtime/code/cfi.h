/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfi.h - call frame information, shared by the files that make unwind tables.
 *
 * DWARF 5, section 6.4, with the differences of .eh_frame (Linux Standard Base, "Exception
 * Frames").  All bytes are those of somebody else's file: nothing in them is trusted.
 */
#ifndef DTX_CFI_H
#define DTX_CFI_H

#include <dtx/arch.h>
#include <dtx/base.h>
#include <dtx/unwind.h>

#include "runtime/code/tables.h"
#include "runtime/unwind/unwind.h"

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
/* The FDE at this place of the section, and its CIE, which is added; CIEs that are added move
 * others.  false: there is none. */
bool cfi_read_at(struct cfi_section *, size_t at, struct cfi_fde *);

/* ---- cfisection.c: sections ---------------------------------------------------------------- */

bool cfi_find(Elf *, const char *name, struct cfi_section *);
/* .eh_frame without section headers: the header for exception handling says where it begins. */
bool cfi_find_by_header(Elf *, struct cfi_section *);
/* The sorted list of functions in the header for exception handling: for each the offsets of its
 * begin and of its FDE, from `addr`. */
struct cfi_list { const s32 (*at)[2]; u32 n; u64 addr; };
bool cfi_find_list(Elf *, struct cfi_list *);    /* false: there is none, or of another form */
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
struct codeflow_known {
	u64 entry;
	const u64 *starts;
	u32 n;
	bool keeps_none;         /* its functions keep no register for their callers */
	bool is_filled;          /* V8's, whose symbols do not say where they begin */
};
/* Rules for the code at this address, in order. */
void codeflow_rules(const u8 *code, u64 addr, u32 len, const struct codeflow_known *,
		    codeflow_row *, void *arg);

/* ---- flowstate.c: what is known of the stack at an instruction ---------------------------- */

/* What is known before an instruction.  Offsets count from the CFA, as in rules. */
struct flow_state {
	s32 sp, bp;                      /* CFA - register */
	s32 saved[DTX_UW_REGS];          /* where the caller's value is, 0: not saved */
	u32 lost;                        /* bits of registers that have another value */
	u8 knows_sp, knows_bp;
	u8 asked;                        /* a system call was made */
	u8 end;                          /* there is no caller */
	u8 none;                         /* nothing is known */
	u8 holds;                        /* 1 + the register that has the return address, 0: none */
	u8 put_back;                     /* it is in another place than at the begin */
	u8 takes_args;                   /* functions take their arguments from the stack */
};
/* The return address is in the register in which a call leaves it. */
bool flow_has_return(const struct flow_state *);
/* The caller's frame pointer is kept before the return address, and the register points to it. */
bool flow_has_frame(const struct flow_state *);
/* Nothing is known of the stack: its pointer has a value that is not in the code. */
bool flow_is_astray(const struct flow_state *);
struct dtx_uw_rule flow_rule(const struct flow_state *);
struct arch_stackop;
void flow_apply(struct flow_state *, const struct arch_stackop *);       /* an instruction */

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
/* Is it the handler of signals, whose information says that a stack ends there? */
bool goasm_is_handler(const struct goasm *, u64 begin);
/* Bytes of its caller's stack that were pushed before it was called. */
s16 goasm_pushed(const struct goasm *, u64 begin);
/* Does the function move to another stack on its way?  Then its rule is valid in its code from
 * *from to *to. */
bool goasm_moves(const struct goasm *, u64 begin);
bool goasm_calls_c(const struct goasm *, u64 begin);     /* to that of the thread */
void goasm_moved(const u8 *code, u64 len, u64 *from, u64 *to);

/* ---- unwind.c, for unwindpart.c ------------------------------------------------------------ */

struct uwtab;
/* A part of the file that is mapped executable. */
struct segment { u64 vaddr, off, size; };

/* What is known of the frames of an object. */
struct frames {
	struct cfi_section eh, debug;
	cfi_fdes fdes;
	VEC(struct segment) segs;        /* sorted by off */
	u64 cfi;                 /* bytes that were read */
	struct goasm go;
	u64 context;             /* address of __start_context, 0: there is none */
	Elf *elf;                /* whose code is read where there is no information; NULL: none */
	struct codeflow_known known;
	VEC(u64) starts;         /* of functions that other objects call; read when it is needed */
	u32 exported;            /* starts that all of the code know */
	bool has_starts, has_v8;         /* V8: as the exported symbols say */
	VEC(struct segment) code;        /* sections of code, sorted by vaddr */
	u64 scanned;             /* bytes of code that were read */
};

bool frames_is_ours(Elf *);              /* a program or library of this machine */
void frames_segments(struct frames *, Elf *, u64 file_size);
void frames_code(struct frames *, Elf *);
/* Segments that share a page of the file are one range of pages: those from the i-th to before the
 * one returned. */
u32 frames_range(const struct frames *, u32 i, u64 *first, u64 *end);
bool frames_has_libc(Elf *);
void frames_find_context(struct frames *, Elf *);
/* Has the object, or its debug file, a .debug_frame? */
bool frames_has_debug(Elf *, const char *path);
/* The rows of this part of a segment, in order of addresses; s->fdes are those of the part. */
void frames_write(struct frames *, struct uwtab *, const struct segment *);
void frames_free(struct frames *);
#define FRAMES_PADDING  16               /* between functions: compilers align to it */

/* ---- unwindtab.c: writing a table ---------------------------------------------------- */

struct uwtab *uwtab_new(void);
/* Code in these pages of the file follows.  false: the table cannot hold this range. */
bool uwtab_range(struct uwtab *, u64 first, u64 npages);
/* From this place of the file on, up to the next row or the end of the range.  Places of a range
 * are given in their order; the last one of several at one place holds. */
void uwtab_row(struct uwtab *, u64 file_off, const struct dtx_uw_rule *);
/* Frees the uwtab; `cfi`: bytes that were read for it. */
struct unwind_table *uwtab_end(struct uwtab *, u64 cfi);
/* A table made by parts, whose pages are not made yet; NULL: no room.  Rows follow for the pages of
 * a part.  `range`: its number. */
struct uwtab *uwtab_parts(const struct unwind_room *, const struct dtx_uw_range *, u32 n);
bool uwtab_asked(const struct uwtab *, u32 range, u64 page);     /* not made yet */
void uwtab_part(struct uwtab *, u32 range, u64 first, u64 npages);
bool uwtab_part_end(struct uwtab *);     /* false: there was no room */
void uwtab_moved(struct uwtab *, u32 *words);
void uwtab_ask_no_more(struct uwtab *);  /* what is not made yet will not be */
void uwtab_free(struct uwtab *);         /* NULL is fine */

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* frames.h - shared by the files here that name frames. */
#ifndef DTX_FRAMES_H
#define DTX_FRAMES_H

#include <dtx/env.h>

#include "runtime/code/safe/budget.h"
#include "runtime/code/codefile.h"
#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"
#include "runtime/dwarf/frame.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/text.h"

/* ---- usyms.c: description of an address, for symtext.c ------------------------------ */

struct usym {
	const char *object;      /* base name, NULL: unmapped */
	const char *sym;         /* NULL: unknown */
	u64 off;                 /* offset in the symbol, else in the object */
	u64 start;               /* address of the symbol in the process */
	u64 file_off;            /* offset in the object's file */
	u64 vaddr;               /* virtual address in the object, ~0: unknown */
	struct dwarf_obj *dwarf; /* of its file; NULL: none, or no option wants it */
	struct jitcode *jit;     /* code made at run time; NULL: from a file */
	bool unseen;             /* its file may still be told of */
};
bool usyms_lookup(struct usyms *, u32 pid, u32 exec, u64 addr, struct usym *out);
/* Is there something else than code?  Not where the mappings are not known (any more). */
bool usyms_no_code(struct usyms *, u32 pid, u32 exec, u64 addr);

/* ---- stackfile.c: beyond stack.h ------------------------------------------------ */

bool stackfile_lookup(struct dtx_env *, u64 frame, struct usym *out);    /* a DTX_FRAME_FILE */

/* ---- symtext.c, for stacktext.c ---------------------------------------------------- */

/* An address of a process, or a frame in a file; caller: it is a return address. */
bool sym_frame(struct dtx_env *, const struct val *, u64 addr, bool caller, struct usym *);
void sym_text(struct dtx_env *, const struct usym *, u64 addr, bool offset, struct buf *out);

/* stacktext.c: as dwarf_file(), if an option wants lines or inlined functions; else NULL. */
struct dwarf_obj *stack_source(struct dtx_env *, struct codefile *);

/* ---- pyframe.c: beyond stack.h ---------------------------------------------------- */

/* A frame of Python; its texts live as long as the arena and the tables.  false: its names are not
 * known. */
bool pyframe_of(struct dtx_env *, struct arena *, u64 word, struct frame *);
const char *pyframe_end(u32 end);                /* enum dtx_py_end as text; NULL: another */
void py_utf8(const struct dtx_pytext *, const u8 *text, size_t room, struct buf *out);

#endif

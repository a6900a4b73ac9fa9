/* SPDX-License-Identifier: BSD-2-Clause */
/* stack-private.h - shared by the files here that name frames. */
#ifndef DTX_STACK_PRIVATE_H
#define DTX_STACK_PRIVATE_H

#include <dtx/env.h>

#include "runtime/code/safe/budget.h"
#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"
#include "runtime/dwarf/frame.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/text.h"

struct proc_map;

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

/* ---- ahead.c: beyond dtx/value.h ---------------------------------------------------- */

/* Sets the function of a DTX_FRAME_FILE, if it was found before; false: it was not. */
bool ahead_lookup(struct dtx_env *, u64 frame, struct usym *out);

/* ---- symtext.c, for stacktext.c ---------------------------------------------------- */

/* An address of a process, or a frame in a file; caller: it is a return address. */
bool sym_frame(struct dtx_env *, const struct val *, u64 addr, bool caller, struct usym *);
void sym_text(struct dtx_env *, const struct usym *, u64 addr, bool offset, struct buf *out);

/* ---- asked.c: what the options ask of frames --------------------------------------- */

bool stack_names(struct dtx_env *);              /* names, and those of symbols */
bool stack_lines(struct dtx_env *);              /* files and lines */
bool stack_inlined(struct dtx_env *, bool user); /* the functions that are inlined there */
/* As dwarf_file(), if they want lines or inlined functions; else NULL. */
struct dwarf_obj *stack_source(struct dtx_env *, struct codefile *);

/* ---- pyframe.c: beyond stack.h ---------------------------------------------------- */

/* A frame of Python; its texts live as long as the arena and the tables.  false: its names are not
 * known. */
bool pyframe_of(struct dtx_env *, struct arena *, u64 word, struct frame *);
const char *pyframe_end(u32 end);                /* enum dtx_py_end as text; NULL: another */
void py_utf8(const struct dtx_pytext *, const u8 *text, size_t room, struct buf *out);

/* ---- jitsyms.c, perfmap.c, jitdump.c, jitcode.c: names of code a process made at run time ---- */

#define JIT_NAME_MOST 1024       /* bytes of a name; the rest is cut off */

struct jit;
struct jitsym {
	u64 addr, size;
	const char *name;
	u32 order;               /* of telling: the last one is valid */
};
struct jit *jit_new(const char *kind, u32 pid);  /* kind, pid: whose it is, for messages */
void jit_free(struct jit *);                     /* NULL is fine */
bool jit_room(struct jit *, u64 bytes);          /* of memory; false: the budget is spent */
const char *jit_name(struct jit *, const char *name);    /* a copy, cut; NULL: no room */
bool jit_add(struct jit *, u64 addr, u64 size, const char *name);        /* false: no room */
const struct jitsym *jit_at(struct jit *, u64 addr);     /* NULL: not found */
u32 jit_count(const struct jit *);               /* how many were told */

#define PERFMAP_KIND "the perf map"

struct perfmap;
struct perfmap *perfmap_open(int fd, u32 pid);   /* takes fd */
void perfmap_close(struct perfmap *);            /* NULL is fine */
bool perfmap_read(struct perfmap *);     /* what is new; false: there is more, for later */
const struct jitsym *perfmap_at(struct perfmap *, u64 addr);

struct jitdump;
struct jitdump *jitdump_open(int fd, u32 pid, bool want_lines);  /* takes fd; NULL: it is none */
void jitdump_close(struct jitdump *);            /* NULL is fine */
bool jitdump_read(struct jitdump *);             /* as perfmap_read() */
const struct jitsym *jitdump_at(struct jitdump *, u64 addr);
/* The line of the source, and its file, which lives as long as the dump; 0: unknown. */
u32 jitdump_line(struct jitdump *, u64 addr, const char **file);

struct jitcode;
struct jitcode *jitcode_new(u32 pid, bool want_lines);
void jitcode_free(struct jitcode *);             /* NULL is fine */
/* A mapping of the process: perhaps its jit-PID.dump. */
void jitcode_mapped(struct jitcode *, const struct proc_map *);
void jitcode_read(struct jitcode *);             /* the files as they are now */
const struct jitsym *jitcode_at(struct jitcode *, u64 addr);     /* NULL: not found */
u32 jitcode_line(struct jitcode *, u64 addr, const char **file); /* as jitdump_line() */

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.h - functions and lines of the source at an address. */
#ifndef DTX_DWARF_FRAME_H
#define DTX_DWARF_FRAME_H

#include <dtx/base.h>

struct codefile;
struct dtx_env;

/* ---- dwarfframe.c: functions of the source at an address ----------------------------- */

struct dwarf_obj;
struct dwarf_frame {
	const char *func;        /* as linkers know it, if it is said; NULL: unknown */
	const char *file;        /* of the source, a path; NULL: unknown */
	u32 line;                /* 0: unknown */
};
#define DWARF_FRAMES 32
/*
 * The functions at a virtual address of the object, the innermost first.  The last one has the
 * code, the others were inlined.  Returns their number, 0: unknown.  Texts live as long as the
 * tables.
 */
u32 dwarf_frames_at(struct dwarf_obj *, u64 addr, struct dwarf_frame out[DWARF_FRAMES]);
/* dwarf.c: of a file of code; NULL: it cannot be opened.  Nothing is read before it is asked
 * for. */
struct dwarf_obj *dwarf_file(struct dtx_env *, struct codefile *);
/* kdebug.c: the debugging information of the kernel or a module, and the address there of the place
 * `off` bytes after the begin of `func`, which is at addr now; NULL: there is none. */
struct dwarf_obj *kdebug_place(struct dtx_env *, const char *module, const char *func, u64 addr,
			       u64 off, u64 *vaddr);

#endif

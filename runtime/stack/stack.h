/* SPDX-License-Identifier: BSD-2-Clause */
/* stack.h - processes, files and interpreters that stacks lead to. */
#ifndef DTX_STACK_FILES_H
#define DTX_STACK_FILES_H

#include <dtx/base.h>
#include <dtx/python.h>
#include <dtx/stack.h>

struct dtx_env;
struct codefile;
struct proc_map;

/* stack/usyms.c: addresses of a process.  Its maps are read on the first lookup and
 * kept: they are still known after it has ended, or runs another program.  exec: DTX_EXEC_OF() the
 * process, 0: what it runs now. */
struct usyms;
struct usyms *usyms_get(struct dtx_env *);
/* Object base name ("libc.so.6", "a.out"), and the address of the symbol in the process, or of the
 * place itself.  false: not in any mapping. */
struct dtx_symref;
bool usyms_find(struct usyms *, const struct dtx_symref *, const char **object, u64 *start);
void usyms_note(struct usyms *, u32 pid);        /* read the maps of pid now */
/* The process makes code: its maps, and what it says of the code, are read now and by each
 * usyms_refresh() while it runs. */
void usyms_follow(struct usyms *, u32 pid);
void usyms_refresh(struct usyms *);

/* stack/hotspot.c: the compiled code of a Java virtual machine.  false: the process has none, or
 * its version is not known. */
struct dtx_jvm;
bool hotspot_read(struct dtx_env *, u32 pid, struct dtx_jvm *);

/* stack/stackfile.c: the files that frames of stacks are in (dtx/stack.h). */
struct stackfiles;
struct dtx_sight;
struct dtx_objkey;
struct stat;
/* A program has seen a file, which is open until its symbols are read; NULL: it cannot be opened,
 * or is another file now. */
struct codefile *stackfile_add(struct dtx_env *, const struct dtx_sight *);
bool stackfile_key(int fd, struct dtx_objkey *);         /* false: not a regular file */
/* Of a file with this stat(2) and this mapping: device and inode are those that programs see in the
 * kernel, which stat(2) does not show on some file systems (overlay, btrfs).  st NULL: key has the
 * rest already. */
void stackfile_key_mapped(struct dtx_objkey *, const struct stat *st, const struct proc_map *);
/* Of what a process has mapped, and its stat(2); false: it is not a regular file. */
bool stackfile_key_of(u32 pid, const struct proc_map *, struct dtx_objkey *, struct stat *);

/* stack/pyinterp.c: the interpreter of Python in a program or library. */
struct python {
	u64 runtime;             /* virtual address of _PyRuntime */
	u64 code;                /* of the first byte of its code */
	bool moves;              /* it is loaded anywhere */
	bool known;              /* the offsets of its version are */
	u32 version;             /* 3.11: 0x30b; 0: before that */
	struct dtx_pyoff off;
};
bool python_read(int fd, struct python *);       /* of an open file; false: there is none */

/* stack/pyframe.c: frames of Python (DTX_FRAME_IS_PY). */
struct pynames;
bool pyframe_known(struct dtx_env *, u64 number);        /* are there names of the function? */
void pyframe_note(struct dtx_env *, u64 number, const struct dtx_pyfunc *);      /* copies them */

#endif

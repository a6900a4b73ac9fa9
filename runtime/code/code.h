/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code.h - files of code: programs, libraries, modules of the kernel.  Each is opened in one
 * place, and what is read of it is shared by all who ask: providers, types, stacks.
 * Why: docs/decisions/43-code-files.md
 */
#ifndef DTX_CODE_H
#define DTX_CODE_H

#include <dtx/base.h>
#include <dtx/provider.h>

struct dtx_env;
struct elfsyms;
struct extents;
struct file_id;
struct keytab;
struct proc_mapped;

/* ---- codefile.c ------------------------------------------------------------------------------ */

struct codefile;
/* What others make of a file when they are asked for it, and can make again. */
enum codefile_kind {
	CODE_FRAMES,                     /* dwarf/: debugging information, for frames */
	CODE_RULES,                      /* unwind/: its unwinding table */
	CODE_NOTES,                      /* usdtnote.c */
	CODE_PARTS,
};
struct codefile_part {
	u64 (*bytes)(void *part);        /* of memory */
	void (*drop)(void *part);        /* frees it */
};

/* The file at a path, which is opened when it is first asked for; never NULL: a file that cannot be
 * opened has nothing. */
struct codefile *codefile_at(struct dtx_env *, const char *path);
/*
 * Opens the file of which codefile_at() told what is in it at this path, to be closed: a probe that
 * was found in one file must not be set in another.  -ESTALE: the path has named two.  After
 * codefile_anew() it may name another one.
 */
int codefile_open_same(struct dtx_env *, const char *path);
void codefile_anew(struct dtx_env *, const char *path);
/* What a process has mapped; NULL: it cannot be opened. */
struct codefile *codefile_mapped(struct dtx_env *, const struct proc_mapped *);
struct codefile *codefile_vdso(struct dtx_env *);        /* of this machine, which has no file */
const struct file_id *codefile_id(const struct codefile *);
const char *codefile_path(const struct codefile *);
/* The build id, if its symbols were read: its length, 0: it has none. */
u32 codefile_build_id(const struct codefile *, const u8 **id);
/* The open file; -errno: it cannot be opened, or another one has its path.  It stays open until
 * codefile_close(), that of a held one until the end, of a pinned one until it is not. */
int codefile_fd(struct codefile *);
/* As pread(), while it is open; what is small is read in pieces, in which the next ones may be. */
ssize_t codefile_read(struct codefile *, void *, size_t n, u64 off);
void codefile_close(struct codefile *);
/* It stays open until its symbols are read; nobody has names. */
void codefile_await(struct codefile *);
/*
 * Its symbols, read once; NULL: it has none.  Names are valid until codefiles_trim(); those of a
 * file that is held as long as the environment, of one that was pinned until codefiles_unpin().
 */
struct elfsyms *codefile_symbols(struct codefile *);
/* Before that, where nobody has names but of the file that was asked last: if the symbols are to be
 * read, throws out what would be too much with them. */
void codefile_room(struct codefile *);
void codefile_hold(struct codefile *);
void codefile_pin(struct codefile *);
/* All of them: probes are attached.  `asked`: their symbols are still asked for, else they are read
 * again if they are. */
void codefiles_unpin(struct dtx_env *, bool asked);
struct extents *codefile_extents(struct codefile *);     /* never NULL */
struct keytab *codefile_slots(struct codefile *);        /* u64 → struct plt_target, of plt.c */
/* A part; NULL: there is none yet, or it was thrown out.  Valid as symbols are. */
void *codefile_part(struct codefile *, enum codefile_kind);
void codefile_set_part(struct codefile *, enum codefile_kind, void *part,
		       const struct codefile_part *);
void codefile_keep(struct codefile *, enum codefile_kind);       /* it stays, though it counts */
/*
 * Nobody keeps a name: if the files have more than their share of memory, those are thrown out that
 * were used the longest time ago.  They are read again when they are asked for.
 */
void codefiles_trim(struct dtx_env *);
/* Were files thrown out, or may they be when the symbols of all are asked for? */
bool codefiles_crowded(struct dtx_env *);
/* What -v says of it, and whether the limit was reached, for a message; NULL: nothing. */
const char *codefiles_figures(struct dtx_env *, struct arena *);
const char *codefiles_trouble(struct dtx_env *, struct arena *);
void codefiles_limit(struct dtx_env *, u64 bytes);       /* another one */
u64 codefiles_bytes(struct dtx_env *);                   /* what they have now */

/* ---- elf.c: symbols of an ELF object (.symtab, .dynsym; debug file when installed) ---------- */

struct elfsym {
	const char *name;
	u64 addr, size, file_off;
	const char *file;                /* of the source, of a local symbol; NULL: unknown */
	bool is_twice;                   /* a local function whose name others have */
	bool is_label;                   /* of no type: assembly; maybe not a function */
	bool is_ifunc;                   /* at the address is code that chooses the function */
	bool is_old;                     /* of a version that only older programs ask for */
	bool is_variant;                 /* the object says: of another calling convention than C */
};
/* For who has no environment: else codefile_symbols(). */
struct elfsyms *elfsyms_open(const char *path, const char **err);
void elfsyms_close(struct elfsyms *);
const struct elfsym *elfsyms_at(struct elfsyms *, u64 addr);     /* by virtual address */
const struct elfsym *elfsyms_by_name(struct elfsyms *, const char *name);
int elfsyms_each(struct elfsyms *, int (*fn)(void *arg, const struct elfsym *), void *arg);
/* A function that begins at the address and has this name of `len` bytes; NULL: none. */
const struct elfsym *elfsyms_named_at(struct elfsyms *, u64 addr, const char *name, size_t len);
/* The i-th function that begins at the address; NULL: there are no more. */
const struct elfsym *elfsyms_nth_at(struct elfsyms *, u64 addr, u32 i);
u64 elfsyms_next(struct elfsyms *, u64 addr);    /* begin of the next function above it, ~0: none */
bool elfsyms_has_inside(struct elfsyms *, u64 addr, u64 size);   /* does a function begin there? */
bool elfsyms_partial(struct elfsyms *);          /* it has no .symtab: some functions are unknown */
bool elfsyms_runs(struct elfsyms *, u64 addr);   /* is it mapped as code? */
/* What is mapped of the file, by number; false: there are no more. */
struct elfseg { u64 vaddr, off, size, mem_size; bool runs; };
bool elfsyms_segment(struct elfsyms *, u32 i, struct elfseg *);
/* Virtual address ↔ file offset through the program headers; ~0 if unmapped. */
u64 elfsyms_file_off(struct elfsyms *, u64 addr);
u64 elfsyms_vaddr(struct elfsyms *, u64 file_off);
bool elfsyms_32bit(const struct elfsyms *);      /* is it of a 32-bit program? */

/* plt.c: what the dynamic linker writes to the words of an object, by their addresses. */
struct plt_target {
	const char *name;                /* the address of this function, of any object; "": … */
	u64 chooser;                     /* … of one that the code here chooses (IFUNC) */
};
const char **elf_needed(struct codefile *, struct arena *);      /* libraries; ends with NULL */
/* debugfile.c: files with its debugging information that are installed; ends with NULL. */
const char **codefile_debug_files(struct codefile *, struct arena *);
/* Why an ELF file is not read: another machine's, byte order or class; NULL: it is of this one. */
const char *codefile_stranger(const char *path);
/* Of the function NAME@VERSION or NAME@@VERSION, whose name has `len` bytes; 0: none. */
u64 elf_version_addr(struct codefile *, const char *full, size_t *len);
bool elf_imports(struct codefile *, const char *func);   /* does it take it from a library? */

/* Address of a symbol of any kind; false: not found. */
bool elfsyms_value(struct elfsyms *, const char *name, u64 *addr);
/* The last symbol at or before an address, and in its section, whose name no other one has. */
const struct elfsym *elfsyms_only(struct elfsyms *, u64 addr);

/* extent.c: where functions begin and end by the call frame information of a file. */
/* Bytes of the function or part of one that has the address, 0: unknown.  *catches: exceptions come
 * to places in it that no jump leads to. */
u64 extents_at(const struct extents *, u64 addr, u64 *begin, bool *catches);

/* usdtnote.c: the USDT probes in the ELF notes of a program (sys/sdt.h). */
struct usdt_note {
	const char *prov, *name;         /* as in the source: query__start */
	const char *args;                /* places, as usdtarg.c reads them */
	u64 addr, semaphore;             /* of the site; of its semaphore, 0: none */
};
/* What the notes of -h say of the arguments of its probes. */
struct usdt_proto {
	const char *prov, *name;         /* as in the source */
	struct dtx_proto args;
};
struct usdt_notes {
	struct usdt_note *v;
	u32 n;
	struct usdt_proto *protos;
	u32 nprotos;
};
/* The file's part CODE_NOTES.  Never NULL: there are none, or the file cannot be read. */
const struct usdt_notes *usdt_notes(struct codefile *);
/* true once: it has more notes than are read, and so it has none. */
bool usdt_too_many(struct codefile *);

#endif

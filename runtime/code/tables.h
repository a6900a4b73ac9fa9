/* SPDX-License-Identifier: BSD-2-Clause */
/* tables.h - shared by the rooms code, dwarf and unwind: how files of code are read. */
#ifndef DTX_CODE_TABLES_H
#define DTX_CODE_TABLES_H

#include <gelf.h>

#include <dtx/arch.h>
#include <dtx/env.h>

#include "runtime/code/safe/budget.h"

struct codefile;
struct dtx_uw_rule;
struct elfsyms;
struct extents;
struct keytab;

/* ---- elfopen.c: ELF files of others -------------------------------------------- */

Elf *elf_open_fd(int fd);                        /* to read; NULL: it is none, or not read */
/* The same of the file at a path, a debug file; *fd is open if there is one, else -1. */
Elf *elf_open_path(const char *path, int *fd);
void elf_close_fd(Elf *, int fd);                /* NULL and -1 are fine */
/* The file mapped: libelf copies no section, and the kernel takes the pages back when it needs
 * them.  No elf: it is not read. */
struct elf_view {
	Elf *elf;
	void *map;                       /* NULL: read, as it cannot be mapped */
	size_t len;
	struct guard *guard;
};
struct elf_view elf_view(int fd);
bool elf_view_end(struct elf_view *);            /* false: the file was cut short meanwhile */
Elf_Data *elf_data(Elf_Scn *);                   /* elf_getdata(); NULL if it is too large, too */

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2       /* ELF gABI, ch_type; elf.h of glibc 2.36 does not have it */
#endif
bool elf_has_zstd(Elf *);                        /* has it sections compressed by zstd? */
/* A section by name, and its header; NULL: not found. */
Elf_Scn *elf_section_named(Elf *, const char *name, GElf_Shdr *);
/* Its contents, NULL: not found; `addr` may be NULL. */
Elf_Data *elf_section(Elf *, const char *name, u64 *addr);
/* elfversion.c: versions of dynamic symbols, by their numbers; NULL: they have none. */
Elf_Data *elf_versions(Elf *);
bool elf_is_old_version(Elf_Data *versions, size_t i);
/* The file that debug files of several packages share (dwz); NULL: none. */
#define SHARED_LINK ".gnu_debugaltlink"
const char *elf_shared_name(Elf *);
u64 elf_names_size(Elf *, u32 section);          /* of a string table; 0: it is none */
bool elf_section_runs(Elf *, u32 index);          /* does it hold code? */
u64 elf_inflated(Elf *);                         /* bytes of its compressed sections in memory */

/* ---- elf.c: beyond code.h ----------------------------------------------------- */

struct elfsyms *elfsyms_memory(void *image, size_t len);            /* the vDSO; NULL: none */
/* `path`: its file, possibly below the root of another process (for debug files). */
struct elfsyms *elfsyms_fd(int fd, const char *path);
u64 elfsyms_bytes(const struct elfsyms *);       /* of memory */
#define BUILD_ID_MOST 64         /* bytes of a build id; those of linkers have 8 to 20 */
u32 elfsyms_build_id(const struct elfsyms *, u8 id[BUILD_ID_MOST]);     /* its length, 0: none */

/* ---- codefile.c: beyond code.h --------------------------------------------------------- */

void codefile_grew(struct codefile *);           /* its part has more memory */

/* ---- extent.c, plt.c: of an open file, kept by codefile.c ------------------------------------ */

struct extents *extents_read(int fd);            /* never NULL */
void extents_free(struct extents *);
/* How far code without a size goes: to its last return or jump, which no jump before leads past. */
u32 code_reach(const u8 *code, size_t len);
struct keytab *plt_targets(int fd, struct arena *);      /* u64 → struct plt_target */

/* ---- relocate.c: modules of the kernel ------------------------------------------------- */

bool elf_is_unlinked(Elf *);                     /* ET_REL */
bool elf_is_32bit(Elf *);                        /* of a 32-bit program */
/* Gives each section of an unlinked object an address, in the headers in memory. */
void elf_lay_out(Elf *);
u64 elf_section_addr(Elf *, u32 index);
/* The same, and relocates its debugging information; the memory of the object is written to.
 * Linked objects stay as they are. */
void elf_relocate_debug(Elf *);

/* ---- unwind.c: beyond unwind.h --------------------------------------------------------------- */

/* The rule for an address of the object by its .debug_frame; false: it is not described. */
bool unwind_debug_rule(Elf *, u64 addr, struct dtx_uw_rule *);

/* ---- debugfile.c ------------------------------------------------------------------ */

/* Files to search for the symbols and the DWARF of the object at `path`, in this order; ends
 * with NULL.  *refused (may be NULL): why a file that is there is not of this object, or NULL. */
const char **debug_files(struct arena *, Elf *, const char *path, const char **refused);

/* The object in .gnu_debugdata, to be freed; NULL: none, or damaged. */
void *minidebug_read(Elf *, size_t *len);

/* ---- debugserver.c ---------------------------------------------------------------- */

/* A file with the DWARF of an object, from a server; NULL: DEBUGINFOD_URLS is not set, or they do
 * not have it.  It may take long: not while stacks wait for tables. */
const char *debug_fetch(struct arena *, Elf *);
const char *debug_fetch_id(struct arena *, const u8 *id, u32 len);

/* ---- plt.c: further symbols of an object ------------------------------------------------- */

/* Calls found() for each stub of the procedure linkage table; `name` is valid as long as elf. */
void plt_each(Elf *, void (*found)(void *arg, const char *name, u64 addr, u64 size), void *arg);

/* ---- guard.c: mapped files that may be cut short ------------------------------------ */

struct guard;
/* Until guard_end(), missing bytes of the mapping are read as zeros, and guard_was_cut()
 * reports it.  Never NULL. */
struct guard *guard_mapping(const void *at, size_t len);
void guard_forget(const void *at, size_t len);   /* bytes of one, which libelf never changes: they
						  * take no memory until they are read again */
bool guard_was_cut(const struct guard *);
void guard_end(struct guard *);                  /* the mapping is no longer read; NULL is fine */

/* code/pclntab.c: code of a line of Go; inlined code has the line of its own source. */
struct goline {
	const char *func, *file; /* live as long as the object; func: the one that has the code */
	u64 begin;               /* of the function */
	u64 addr, end;
	u32 line;
};
u64 gotab_bytes(Elf *);                           /* its size */
bool gotab_is(Elf *);                            /* has it such a table, of a known format? */
/* Calls found() for the lines of all functions, or of the one at addr, in order; none: the object
 * is no program of Go, or of an unknown format. */
void gotab_lines(Elf *, u64 addr, void (*found)(void *arg, const struct goline *), void *arg);

#endif

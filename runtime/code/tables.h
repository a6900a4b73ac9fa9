/* SPDX-License-Identifier: BSD-2-Clause */
/* tables.h - shared by the rooms code, unwind, dwarf, types, stack; other files include sym.h. */
#ifndef DTX_SYM_TABLES_H
#define DTX_SYM_TABLES_H

#include <libelf.h>

#include <dtx/arch.h>
#include "runtime/code/sym.h"

/* ---- btf.c: the bytes of one BTF object, found by name ------------------------ */

/*
 * A module's BTF is split: its type ids and string offsets continue those of its base.
 * Every lookup of an id or a string first finds the object that holds it.
 */
struct btf_obj {
	struct btf_src *src;
	const char *name;        /* "vmlinux" or the name of the module */
	struct btf_obj *base;    /* NULL: vmlinux */
	char *data;
	size_t len;
	bool mapped;             /* data is mmapped, else malloc'd */
	const u8 *types;
	u32 types_len;
	const char *strs;
	u32 strs_len;
	u32 str_base;            /* offset of strs[0] in the common numbering */
	u32 first_id, end_id;
	u32 *off;                /* id - first_id -> place in types */
	u32 *head, *next;        /* chains of ids with equal hash of name_off; 0 ends */
	u32 mask;
	u32 nlookups;
	u32 *names;              /* strings by hash; made after many lookups */
	u32 names_mask;
	bool enum_signs;         /* enumerations have a sign flag */
	struct type **memo;      /* converted types (btftype.c) */
	u32 obj_id;              /* kernel id of a module's BTF, for attaching; 0: not yet
				  * requested */
};

struct btf_type;

const struct btf_type *btf_at(const struct btf_obj *, u32 id);      /* NULL: bad id */
const char *btf_str(const struct btf_obj *, u32 off);               /* never NULL */
/* Id of the first type with this name and one of the kinds (mask of 1 << BTF_KIND_*). */
u32 btf_find(struct btf_obj *, const char *name, u32 kinds);
struct dtx_env *btf_env(const struct btf_src *);
/* Opens the BTF of one file; `base`: the BTF that a module's continues, or NULL.  NULL: not BTF. */
struct btf_obj *btf_obj_open(struct btf_src *, const char *name, const char *path,
			     struct btf_obj *base);
/* From bytes in memory, which are copied; for its types only, not for names. */
struct btf_obj *btf_obj_memory(const void *data, size_t len);
void btf_obj_free(struct btf_obj *);             /* NULL is fine */
/* Bytes after the struct btf_type header; ~0 for an unknown kind. */
u32 btf_extra(const struct btf_type *);

/* ---- btftype.c: BTF to struct type --------------------------------------------- */

struct type *btf_type_of(struct btf_obj *, u32 id);                 /* NULL: malformed */

/* ---- elfopen.c: ELF files of others -------------------------------------------- */

Elf *elf_open(int fd);                           /* to read; NULL: it is none, or not read */
Elf *elf_mapped(int fd, void *map, size_t len);  /* the same, of the file's mapping */
Elf_Data *elf_data(Elf_Scn *);                   /* elf_getdata(); NULL if it is too large, too */

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2       /* ELF gABI, ch_type; elf.h of glibc 2.36 does not have it */
#endif
bool elf_has_zstd(Elf *);                        /* has it sections compressed by zstd? */
u64 elf_inflated(Elf *);                         /* bytes of its compressed sections in memory */

/* ---- elf.c: beyond sym.h ----------------------------------------------------- */

/* Contents of a section by name, NULL: not found; `addr` may be NULL. */
Elf_Data *elf_section(Elf *, const char *name, u64 *addr);
struct elfsyms *elfsyms_memory(void *image, size_t len);            /* the vDSO; NULL: none */
/* `path`: its file, possibly below the root of another process (for debug files). */
struct elfsyms *elfsyms_fd(int fd, const char *path);
u64 elfsyms_bytes(const struct elfsyms *);       /* of memory */
u32 elfsyms_build_id(const struct elfsyms *, u8 id[BUILD_ID_MOST]);     /* its length, 0: none */

/* ---- codefile.c: beyond codefile.h --------------------------------------------------------- */

void codefile_grew(struct codefile *);           /* its part has more memory */
void codefiles_free(struct codefiles *);

/* ---- extent.c, plt.c: of an open file, kept by codefile.c ------------------------------------ */

struct extents *extents_read(int fd);            /* never NULL */
void extents_free(struct extents *);
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

/* ---- unwind.c: beyond sym.h --------------------------------------------------------------- */

/* The rule for an address of the object by its .debug_frame; false: it is not described. */
bool unwind_debug_rule(Elf *, u64 addr, struct dtx_uw_rule *);

/* ---- debugfile.c ------------------------------------------------------------------ */

/* Files to search for the symbols and the DWARF of the object at `path`, in this order; ends
 * with NULL.  *refused (may be NULL): why a file that is there is not of this object, or NULL. */
const char **debug_files(struct arena *, Elf *, const char *path, const char **refused);

/* ---- debugserver.c ---------------------------------------------------------------- */

/* A file with the DWARF of an object, from a server; NULL: DEBUGINFOD_URLS is not set, or they do
 * not have it.  It may take long: not while stacks wait for tables. */
const char *debug_fetch(struct arena *, Elf *);
const char *debug_fetch_id(struct arena *, const u8 *id, u32 len);

/* ---- plt.c, minidebug.c: further symbols of an object ------------------------------------ */

/* Calls found() for each stub of the procedure linkage table; `name` is valid as long as elf. */
void plt_each(Elf *, void (*found)(void *arg, const char *name, u64 addr, u64 size), void *arg);
/* The object in .gnu_debugdata, to be freed; NULL: none, or damaged. */
void *minidebug_read(Elf *, size_t *len);

/* ---- guard.c: mapped files that may be cut short ------------------------------------ */

struct guard;
/* Until guard_end(), missing bytes of the mapping are read as zeros, and guard_was_cut()
 * reports it.  Never NULL. */
struct guard *guard_mapping(const void *at, size_t len);
bool guard_was_cut(const struct guard *);
void guard_end(struct guard *);                  /* the mapping is no longer read; NULL is fine */

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

/* ---- stackfile.c: beyond sym.h ------------------------------------------------ */

bool stackfile_lookup(struct dtx_env *, u64 frame, struct usym *out);    /* a DTX_FRAME_FILE */

/* ---- symtext.c, for stacktext.c ---------------------------------------------------- */

/* An address of a process, or a frame in a file; caller: it is a return address. */
bool sym_frame(struct dtx_env *, const struct val *, u64 addr, bool caller, struct usym *);
void sym_text(struct dtx_env *, const struct usym *, u64 addr, bool offset, struct buf *out);

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
/* dwarf.c: of a file of code; NULL: it cannot be opened.  Nothing is read before it is asked for. */
struct dwarf_obj *dwarf_file(struct dtx_env *, struct codefile *);
/* kdebug.c: the debugging information of the kernel or a module, and the address there of the place
 * `off` bytes after the begin of `func`, which is at addr now; NULL: there is none. */
struct dwarf_obj *kdebug_place(struct dtx_env *, const char *module, const char *func, u64 addr,
			       u64 off, u64 *vaddr);
/* code/pclntab.c: code of a line of Go; inlined code has the line of its own source. */
struct goline {
	const char *func, *file; /* live as long as the object; func: the one that has the code */
	u64 begin;               /* of the function */
	u64 addr, end;
	u32 line;
};
bool gotab_is(Elf *);                            /* has it such a table, of a known format? */
/* Calls found() for the lines of all functions, or of the one at addr, in order; none: the object
 * is no program of Go, or of an unknown format. */
void gotab_lines(Elf *, u64 addr, void (*found)(void *arg, const struct goline *), void *arg);
/* stacktext.c: as dwarf_file(), if an option wants lines or inlined functions; else NULL. */
struct dwarf_obj *stack_source(struct dtx_env *, struct codefile *);

/* ---- pyframe.c: beyond sym.h ---------------------------------------------------- */

/* A frame of Python; its texts live as long as the arena and the tables.  false: its names are not
 * known. */
bool pyframe_of(struct dtx_env *, struct arena *, u64 word, struct frame *);
const char *pyframe_end(u32 end);                /* enum dtx_py_end as text; NULL: another */
void py_utf8(const struct dtx_pytext *, const u8 *text, size_t room, struct buf *out);
void pynames_free(struct pynames *);

/* ---- budget.c: what reading files of traced programs may cost (sym.h) ----------------- */

/* Takes bytes from the budget; false: it is spent, and the reader stops for good. */
bool budget_read(u64 bytes);
bool budget_keep(u64 bytes);                     /* the same for memory */
void budget_free(u64 bytes);
void budget_refuse(const char *what, ...) PRINTF_LIKE(1, 2);     /* the first is told at the end */
/* Time: budget_start() before the first block, budget_go_on() before each.  false: not now. */
s64 budget_start(void);
bool budget_go_on(s64 *since);
bool budget_stopped(void);                       /* does the user want an end? */
/* Takes the symbols of a file from the budget, and adds their number to *taken, for
 * budget_symbols_free(); false: too many. */
bool budget_symbols(u64 n, u64 *taken);
void budget_symbols_free(u64 n);

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

/* ---- tpnames.c: names of the values of fields, out of "print fmt" -------------------- */

void tpnames_read(struct arena *, struct tp_event *, const char *fmt);

void ksyms_free(struct ksyms *);
void usyms_free(struct usyms *);
void stackfiles_free(struct stackfiles *);
void stacktext_free(struct stacktext *);
void tracefs_free(struct tracefs *);
void dwarf_free(struct dwarf_src *);

#endif

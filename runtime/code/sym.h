/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sym.h - symbols, types and event formats of the kernel and of programs.
 *
 * The rooms code, unwind, dwarf, types and stack include the private tables.h, arch.h and base.
 */
#ifndef DTX_SYM_H
#define DTX_SYM_H

#include <dtx/base.h>
#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/stack.h>
#include <dtx/python.h>
#include <dtx/type.h>
#include <dtx/value.h>

#include "runtime/code/codefile.h"
#include "runtime/proc/proc.h"

/* ---- symbols and types -------------------------------------------------------------- */

/* code/symtabs.c: env->sym points to this; made on first use, freed by symtabs_free(). */
struct symtabs {
	struct btf_src *btf;
	struct ksyms *ksyms;
	struct codefiles *codefiles;
	struct usyms *usyms;
	struct stackfiles *stackfiles;
	struct stacktext *stacktext;
	struct map *kdebug;              /* module → file with its DWARF, "": none */
	struct pynames *pynames;
	struct tracefs *tracefs;
	struct dwarf_src *dwarf;
};
struct symtabs *symtabs_get(struct dtx_env *);
/* Why debugging information from servers is missing (debugserver.c), as a sentence; NULL: it is
 * not, or none was wanted. */
const char *debug_server_trouble(void);
void symtabs_free(struct dtx_env *); /* frees everything of them, with the environment */

/*
 * types/btf.c: kernel BTF as a type source, read and indexed on first use.  There is one
 * per environment: further calls of btf_src_open() return it.  Types live in
 * env->arena, not in the arena of the call, and are shared between calls.
 */
struct btf_src;
struct btf_src *btf_src_open(struct dtx_env *);          /* NULL: no BTF here */
void btf_src_free(struct btf_src *);                     /* symtabs_free() does it too */
struct type_source *btf_src_types(struct btf_src *);
void btf_src_outdated(struct btf_src *);         /* a module was loaded; NULL is fine */
bool btf_src_used_modules(const struct btf_src *);       /* was anything found in a module? */
/* Id of a FUNC, 0 if unknown; module ("vmlinux") and obj_id (0: vmlinux) may be NULL. */
u32 btf_func_id(struct btf_src *, const char *name, const char **module, u32 *obj_id);
u32 btf_vmlinux_func(struct btf_src *, const char *name); /* in vmlinux; 0: not found */
void btf_expect_many(struct btf_src *); /* thousands of names will be looked up */
/* Id of the typedef btf_trace_NAME, 0 if unknown.  proto (may be NULL): the arguments
 * without the leading void *__data, so that parameter i is context slot i. */
u32 btf_rawtp_id(struct btf_src *, const char *name, struct type **proto, struct arena *);
/* types/btfcheck.c: are all numbers in these bytes of BTF valid?  NULL, or what is wrong (a
 * static text). */
const char *btf_check(const void *data, size_t len);
int btf_each_func(struct btf_src *, int (*fn)(void *arg, const char *name, u32 id), void *arg);

/* code/ksyms.c: /proc/kallsyms, read once on first use, sorted. */
struct ksyms;
struct ksyms *ksyms_get(struct dtx_env *);               /* cached in env; never NULL */
/* Symbol that covers addr: name, module ("vmlinux"), offset.  false: unknown. */
void ksyms_outdated(struct dtx_env *);  /* the kernel has made code: read again, on next use */
bool ksyms_find(struct ksyms *, u64 addr, const char **name, const char **module, u64 *off);
u64 ksyms_addr(struct ksyms *, const char *module, const char *name);   /* 0: unknown */
/* Functions of this name in the module (NULL: in any), by address: fills up to `max` of addrs,
 * returns how many there are. */
u32 ksyms_functions(struct ksyms *, const char *module, const char *name, u64 *addrs, u32 max);
u64 ksyms_next(struct ksyms *, u64 addr);        /* address of the next symbol above, 0: none */
/* Text symbols in address order (type t/T/w/W). */
int ksyms_each(struct ksyms *, int (*fn)(void *arg, const char *module, const char *name, u64 addr),
	       void *arg);

/* code/budget.c: reading files that traced programs write (perf-PID.map …) must not hold up a run,
 * of this thread.  The session says how it is: */
enum budget_hurry {
	BUDGET_CALM,                     /* there is time */
	BUDGET_EVENTS,                   /* events arrive: a share of the time */
	BUDGET_STOP,                     /* the user wants an end */
};
void budget_begin(enum budget_hurry (*ask)(void *), void (*reading)(void *, bool on), void *arg);
void budget_end(void);
void budget_reading(bool on);                    /* files may be read until false; it nests */
/* What was not read to its end, for a message; NULL: nothing. */
const char *budget_trouble(struct arena *);

/* stack/usyms.c: addresses of a process.  Its maps are read on the first lookup and
 * kept: they are still known after it has ended, or runs another program.  exec: DTX_EXEC_OF() the
 * process, 0: what it runs now. */
struct usyms;
struct usyms *usyms_get(struct dtx_env *);
/* Object base name ("libc.so.6", "a.out"), symbol (or NULL), offset in it (or in the
 * object).  false: not in any mapping.  `start`: address of the symbol in the process. */
bool usyms_find(struct usyms *, u32 pid, u32 exec, u64 addr, const char **object, const char **sym,
		u64 *off, u64 *start);
void usyms_note(struct usyms *, u32 pid);        /* read the maps of pid now */
/* The process makes code: its maps, and what it says of the code, are read now and by each
 * usyms_refresh() while it runs. */
void usyms_follow(struct usyms *, u32 pid);
void usyms_refresh(struct usyms *);
/* How well an object matches a name: 3 equal, 2 and 1 begins with it ("libc"), 0 not. */
int object_fits(const char *path, const char *name);
/* Finds a library by name for `uprobe:libc:malloc`: in the cache of ld.so and the usual folders.
 * NULL: not found. */
const char *sym_library(struct arena *, const char *name);

/* stack/hotspot.c: the compiled code of a Java virtual machine.  false: the process has none, or
 * its version is not known. */
struct dtx_jvm;
bool hotspot_read(struct dtx_env *, u32 pid, struct dtx_jvm *);

/* unwind/unwind.c: tables for unwinding the stacks of programs; their layout is in dtx/unwind.h. */
struct unwind_table {
	u32 *words;              /* heap; zeros after nwords, to the end of the last chunk */
	u32 nwords, nchunks;     /* used words; chunks of DTX_UW_CHUNK_WORDS */
	u32 nrows, nrules;
	u64 cfi_bytes;           /* size of the call frame information it was made of */
};
struct dtx_uw_rule;
/*
 * Makes the table of the object in an open file, which stays open; `path` (may be NULL) is for its
 * debug file.  NULL: there is none, *why is a static text ("no call frame information").
 */
struct unwind_table *unwind_read(int fd, const char *path, const char **why);
/* The same of an object in memory (the vDSO); places count from its beginning. */
struct unwind_table *unwind_memory(void *image, size_t len, const char **why);
/*
 * unwind/memcfi.c: the table of code without a file, from call frame information in the memory of
 * the process; places count from the start of the code.  The words of *out, whose end is set, are
 * those by which the code is known again.
 */
struct dtx_jit;
struct unwind_table *unwind_process(u32 pid, u64 start, struct dtx_jit *out, const char **why);
/* The same out of these bytes, which were at addr, for the code from start to end. */
struct unwind_table *unwind_bytes(const void *data, size_t len, u64 addr, u64 start, u64 end,
				  const char **why);
u64 unwind_size(const struct unwind_table *);    /* bytes in the kernel */
/*
 * unwind/unwindpart.c: the table of a large file, which is made by parts, where programs read it:
 * in room of the caller, which is zeroed.  more() gives room for `words` or more, *room, with what
 * it gave before copied to its begin; NULL: there is no more.
 */
struct unwind_room {
	u32 *(*more)(void *arg, u32 words, u32 *room);
	void *arg;
	u64 least;               /* bytes of call frame information from which a file is large */
};
struct unwind_parts;
/* As unwind_read(); the descriptor is not needed later.  NULL: a small file, or one of whose
 * functions there is no sorted list: its whole table is made at once. */
struct unwind_parts *unwind_parts_open(int fd, const char *path, const struct unwind_room *);
/* The part with this page of the file; false: it is there, or there is no such page. */
bool unwind_part(struct unwind_parts *, u64 page);
bool unwind_part_any(struct unwind_parts *);     /* one that is not there; false: all are */
void unwind_parts_free(struct unwind_parts *);   /* NULL is fine; the room is left to the caller */
void unwind_free(struct unwind_table *);         /* NULL is fine */
/* The rule for a place of the file; NULL: there is no row.  As bpf/ searches it. */
const struct dtx_uw_rule *unwind_find(const struct unwind_table *, u64 file_off);

/* stack/stackfile.c: the files that frames of stacks are in (dtx/stack.h). */
struct stackfiles;
struct dtx_sight;
struct dtx_objkey;
struct stat;
/* A program has seen a file, which is open until its symbols are read; NULL: it cannot be opened, or
 * is another file now. */
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

/* symtext.c: DTrace's text of addresses (DTrace guide "User Process Tracing"). */
void sym_kaddr(struct dtx_env *, u64 addr, struct buf *out);              /* module`f+0x1 */
void sym_uaddr(struct dtx_env *, u32 pid, u64 addr, struct buf *out);
void sym_val(struct dtx_env *, const struct val *, struct buf *out);      /* by val->symkind */
/* stack/stacktext.c: a stack as in the DTrace guide, "User Process Tracing": a newline, then one
 * indented line per frame. */
void sym_stack(struct dtx_env *, const struct val *, int indent, struct buf *out);
/* Why a stack with this val.end is not whole; NULL: it is, or nobody knows.  A static text. */
const char *sym_stack_end(u32 end);
/* The frames of a stack, the innermost first, with what is known of each.  They live as long as
 * the arena and the symbol tables. */
const struct frame *sym_frames(struct dtx_env *, struct arena *, const struct val *, u32 *n);
/* stack/shown.c: text of numbers that are not addresses (user, error …), by val->symkind; false:
 * another kind. */
bool shown_text(const char *kind, u64 v, struct buf *out);
bool shown_is(const char *kind);
/* mount point of control groups of version 2, NULL: none */
const char *cgroup_root(struct arena *);
/* code/demangle.c: readable C++, Rust, D or Ada name without parameters; else the name, and
 * false. */
bool sym_demangle(const char *name, struct buf *out);
/* the same in two parts: the function, and what compiler and linker add (.part.0.cold, @plt) */
bool sym_function(const char *name, struct buf *out);
void sym_suffix(const char *name, struct buf *out);
/* the same with the types of its parameters: ns::f(int) */
bool sym_signature(const char *name, struct buf *out);

/* dwarf/dwarf.c: types of programs and libraries: of the target's executable and of the
 * objects given to dwarf_note(). */
struct type_source *dwarf_types(struct dtx_env *);
void dwarf_note(struct dtx_env *, const char *path);
/* Has the object debugging information? */
bool dwarf_has(struct dtx_env *, const char *path);
/* Why some or all of that information is not found, though there is a trace of it ("it is in …,
 * which is not there"); NULL: nothing is known to be missing. */
const char *dwarf_lack(struct dtx_env *, const char *path);
/* Are the files that were read still complete?  If one was cut, reports it. */
bool dwarf_check(struct dtx_env *);
/*
 * dwarf/dwarfvar.c: the variables in scope at a virtual address of the object, innermost first, by
 * name; then those of its unit outside of functions.  `func`: the function around the address
 * whose they are, NULL: the innermost, "": the one that is not inlined.  In the environment's
 * arena; returns their number, 0 without DWARF.  One that cannot be read there is LOC_NONE, with
 * the reason.
 */
u32 dwarf_variables(struct dtx_env *, const char *path, u64 addr, const char *func,
		    struct dtx_arg **);
/*
 * The parameters (or the results) of the function of a Go program that begins at func, as they are
 * at addr, in order; ~0: no debugging information of Go.
 */
u32 dwarf_go(struct dtx_env *, const char *path, u64 func, u64 addr, bool results,
	     struct dtx_arg **);
/* A variable outside of functions, as an argument of a probe at addr; false: none of this name. */
bool dwarf_global(struct dtx_env *, const char *path, u64 addr, const char *name, struct dtx_arg *);

/*
 * dwarf/kdebug.c: the file with the debugging information of the running kernel ("vmlinux") or of a
 * loaded module; it can be given to the functions here as `path`.  NULL: there is none, *why (may
 * be NULL) says which file or package is missing.  In the environment's arena.
 */
const char *kdebug_file(struct dtx_env *, const char *module, const char **why);
/* The symbol by which the running kernel finds an address of that file, and the distance from it.
 * The kernel is loaded as one, the sections of a module anywhere, each for itself.  NULL: none, or
 * others have its name, too. */
const char *kdebug_symbol(struct elfsyms *, const char *module, u64 addr, u64 *off);
#define KDEBUG_FIRST_CODE "_stext"       /* all code of the kernel keeps its distance from it */

/* dwarf/dwarfline.c: where a line of the source begins. */
struct dwarf_lines_of {
	const char *file;                /* name or end of the path; both are globs */
	const char *func;
	u32 line;                        /* 0: each */
	u64 within;                      /* only in the unit that has this address; 0: all */
	bool is_unit;                    /* in units of that file first; in others only if there
					  * is nothing */
};
struct dwarf_site {
	u64 addr;                        /* virtual address in the object */
	const char *func, *file;         /* of the source; file: a path */
	u32 line;
	u32 nth;                         /* of the places of this line in this function */
	bool is_inlined;
};
/* Sorted by file, line, function and address.  In the environment's arena; returns their number. */
u32 dwarf_lines(struct dtx_env *, const char *path, const struct dwarf_lines_of *,
		struct dwarf_site **);
/* Where a function is declared; `within` as above.  false: unknown.  In the arena. */
bool dwarf_declared(struct dtx_env *, const char *path, const char *func, u64 within,
		    const char **file, u32 *line);
/* dwarf/dwarfinline.c: where the copies of an inlined function begin; as above. */
u32 dwarf_copies(struct dtx_env *, const char *path, const char *func, struct dwarf_site **);
/* The function that begins at addr, and its copies; 0: it is not inlined anywhere. */
u32 dwarf_copies_of(struct dtx_env *, const char *path, u64 addr, struct dwarf_site **);
/* Prototype of the function at a virtual address of the object; NULL: unknown. */
struct type *dwarf_function(struct dtx_env *, const char *path, u64 addr, const char *name);

/* dwarf/dwarfparam.c: where the parameters of a function are when it is called. */
enum dwarf_said {
	SAID_NOTHING,            /* the compiler has left it out here */
	SAID_UNREAD,             /* where it is later is said, but not where it comes from */
	SAID_LIKELY,             /* if the function does not store anything else there before */
	SAID_KNOWN,
};
struct dwarf_params {
	u32 n;
	enum dwarf_said *said;   /* of each parameter of the prototype */
	struct dtx_arg *args;    /* where it is; LOC_NONE: text says why not */
	const char *convention;  /* it is said to be another than C's: its name; else NULL */
	const char *result_lack; /* why the result cannot be read; NULL: it can */
	bool is_rust;
	bool may_move;           /* a parameter that is not used may not be given at all, and
				  * others may take its place: LLVM; gcc's own functions of
				  * 32-bit programs */
};
/* args[] of n parameters of the prototype are given, with type and size.  false: unknown. */
bool dwarf_parameters(struct dtx_env *, const char *path, u64 addr, struct dwarf_params *);

/* types/tracefs.c: event formats. */
struct tp_field {
	const char *name, *ctype;
	u32 off, size;
	bool is_signed, is_dataloc;
	bool is_relloc;          /* is_dataloc, counted from the end of the field */
	struct type *names;      /* T_ENUM: how the kernel prints the values, or NULL */
};
struct tp_event { const char *group, *name; u32 id; struct tp_field *fields; u32 nfields; };
const char *tracefs_path(struct dtx_env *);              /* NULL: not mounted */
struct tp_event *tracefs_event(struct dtx_env *, const char *group, const char *name);
/* Reads one line of a format; false: it describes no field.  Names in the arena. */
bool tracefs_field(struct arena *, const char *line, struct tp_field *);
void tracefs_outdated(struct dtx_env *);         /* a module was loaded */
int tracefs_each(struct dtx_env *, const char *group_glob, const char *event_glob,
		 int (*fn)(void *arg, const char *group, const char *event), void *arg);
/* The place of an event made by hand (perf probe, tracefs): "/bin/x:0x1129", "vfs_read"; NULL:
 * an event of the kernel, or a synthetic one.  In the arena. */
const char *tracefs_dynamic(struct dtx_env *, const char *group, const char *name);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarf-private.h - shared by the files here; others include debuginfo.h and frame.h. */
#ifndef DTX_DWARF_PRIVATE_H
#define DTX_DWARF_PRIVATE_H

#include <elfutils/libdw.h>

#include <dtx/arch.h>
#include <dtx/base.h>
#include <dtx/unwind.h>

#include "runtime/code/names.h"
#include "runtime/code/symtabs.h"
#include "runtime/code/tables.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/dwarf/frame.h"

/* The debugging information of one object file. */
struct dwarf_obj {
	struct dwarf_obj *next;
	const char *module;              /* of the kernel: "vmlinux" or a module; NULL: a program */
	struct dtx_env *env;
	struct codefile *of;
	const char *path, *name;         /* name: base name, for messages */
	bool tried;                      /* opening was tried */
	bool is_source;                  /* of types: it stays */
	const char *file;                /* the file that was opened */
	Dwarf *dw;                       /* NULL: no DWARF */
	struct arena *arena;             /* its texts; the environment's, but for files of stacks */
	bool left;                       /* a thread aside reads it: nobody else may */
	int fd;                          /* of that file */
	void *at;                        /* address of the mapping */
	size_t size;
	u64 inflated;                    /* bytes of its compressed sections */
	struct guard *guard;             /* of the mapping */
	Elf *elf;                        /* dw reads from it */
	Dwarf *shared;                   /* of another machine: the file of dwz for several */
	int shared_fd;
	struct dwarf_bytes *own;         /* what stands for some of its sections */
	const char *split_lack;          /* why entries of its own file are not used, or NULL */
	struct map *types;               /* converted types, by the address of their entry */
	struct map *names; /* "s:tag", "S:namespace::tag", "n:name" → address of the entry; made on
			      first use */
	struct map *functions;           /* dwarfjoined.c: names of those that have code */
	u64 functions_of;                /* they are those of the unit that is there, or all */
	const char *lack;                /* dwarf_lack() */
	bool lack_known;
	bool scoped;                     /* some of them are in namespaces */
	struct dtx_uw_rule rule;         /* of a kernel's object, at the address rule_at */
	u64 rule_at;
	bool has_rule;
	u64 entry_at;                    /* dwarfentry.c: the last function that was looked at */
	const char *entry_trouble;
	bool entry_known;
	bool bits32;                     /* of a 32-bit program */
	struct dwarf_frames *frames;     /* dwarfframe.c; NULL: none was asked for */
	Elf *bare;                       /* the object, if it is of Go without DWARF */
	int bare_fd;
	u64 bare_bytes;                  /* of memory that it takes */
};

/* The object with its DWARF open; NULL: there is none. */
struct dwarf_src {
	struct dtx_env *env;
	struct dwarf_obj *first;         /* those for frames alone are parts of their files */
	struct type_source types;
};
struct dwarf_src *dwarf_source(struct dtx_env *);
struct dwarf_obj *dwarf_open(struct dtx_env *, const char *path);
Elf *dwarf_bare(struct dtx_env *, const char *path);     /* of Go without it; else NULL */
bool dwarf_file_open(struct dwarf_obj *);        /* of dwarf_file(); false: there is none */
/* The segments and symbols of the object; NULL: it cannot be read. */
struct elfsyms *dwarf_code(struct dwarf_obj *);
void dwarf_frames_free(struct dwarf_frames *);   /* NULL is fine */
u64 dwarf_frames_bytes(const struct dwarf_frames *);     /* of memory; the same */
/* dwarf_child().  The entries of a unit may be in a file of their own (DWARF 5, 3.1.2; gcc
 * -gsplit-dwarf): dwarfsplit.c. */
int dwarf_below(Dwarf_Die *parent, Dwarf_Die *);
/* Memory that stands for sections of an Elf; it is freed after that. */
struct dwarf_bytes;
u8 *dwarf_bytes_new(struct dwarf_bytes **, u64 size);
void dwarf_bytes_free(struct dwarf_bytes *);     /* NULL is fine */
/* dwarfzstd.c: unpacks the sections that are compressed by zstd, which libelf may not.  false: one
 * of them cannot be unpacked. */
bool dwarf_unpack_zstd(Elf *, struct dwarf_bytes **);
/* dwarfsplit.c: entries of units in files of their own that libdw would not find are found. */
void dwarf_join_split(struct dwarf_obj *);
/* The unit that has code at addr. */
bool dwarf_unit_at(struct dwarf_obj *, u64 addr, Dwarf_Die *unit);
/* The function that begins at addr. */
bool dwarf_function_at(struct dwarf_obj *, u64 addr, Dwarf_Die *);
/* The entries that contain addr, from the unit to the innermost block; their number. */
#define DWARF_SCOPES 64
u32 dwarf_scopes(struct dwarf_obj *, u64 addr, Dwarf_Die scopes[DWARF_SCOPES]);
u32 dwarf_scopes_in(Dwarf_Die *unit, u64 addr, Dwarf_Die scopes[DWARF_SCOPES]);
/* May functions be below?  Inside of functions are those of lambdas and local classes. */
bool dwarf_has_functions(int tag, bool inside);
bool dwarf_is_function(Dwarf_Die *);             /* also an inlined one */
bool dwarf_entry_of(Dwarf_Die *subprogram, u64 *addr);   /* where it is entered; false: unknown */

/* dwarfwhere.c: a register by its number in the object: its byte in struct pt_regs. */
bool dwarf_register(const struct dwarf_obj *, u64 n, u32 *off);
u32 dwarf_word(const struct dwarf_obj *);        /* bytes of an address */
/* The frame's address (CFA) from the stack pointer, where a function begins. */
u32 dwarf_entry_cfa(const struct dwarf_obj *);
/* The frame at addr by call frame information; NULL: it is not described. */
const struct dtx_uw_rule *dwarf_rule(struct dwarf_obj *, u64 addr);
/* dwarfcall.c: which calling convention a function has, if it is not C's: its name; NULL: C's. */
const char *dwarf_convention(Dwarf_Die *unit, Dwarf_Die *func);
/* Why its result cannot be read, as a static text; NULL: it can, where the convention has it. */
const char *dwarf_result_lack(Dwarf_Die *unit, Dwarf_Die *func);
const char *dwarf_producer(Dwarf_Die *unit);     /* "": not said */
bool dwarf_is_llvm(Dwarf_Die *unit);
/* dwarfentry.c: why a probe there cannot keep the registers of each call, as a static text; NULL:
 * it can. */
const char *dwarf_entry_trouble(struct dwarf_obj *, Dwarf_Die *subprogram, u64 entry);
/* Where a variable is at addr, as an argument (loc, text and so on; its type is
 * set).  `subprogram`: the function whose frame it may lie in, or NULL. */
void dwarf_where(struct dwarf_obj *, Dwarf_Die *variable, Dwarf_Die *subprogram, u64 addr,
		 struct dtx_arg *);

/* Finds the definition of a type; false: not found.  "s:" for struct, union, enum and
 * class tags, "S:" for these with their namespaces, "n:" for typedefs and base types, "v:" for
 * variables outside of functions. */
bool dwarf_named(struct dwarf_obj *, char space, const char *name, Dwarf_Die *);
struct type *dwarf_type(struct dwarf_obj *, Dwarf_Die *);            /* never NULL */
/* dwarfnumber.c */
u64 dwarf_number(Dwarf_Die *, int attr, u64 otherwise);
const char *dwarf_kept_name(struct dwarf_obj *, const char *);
struct type *dwarf_node(struct dwarf_obj *, Dwarf_Die *, enum type_kind);        /* a new one */
struct type *dwarf_base(struct dwarf_obj *, Dwarf_Die *);        /* of DW_TAG_base_type */
bool dwarf_is_float(u64 encoding);               /* DW_AT_encoding */
/* Are its bytes in the other order than the machine's (gcc's scalar_storage_order)? */
bool dwarf_other_order(Dwarf_Die *);
extern const char dwarf_other_name[];            /* that order, for the two below */
/* What has a size, and is not known.  `what`: in front of its name; size 0: void. */
struct type *dwarf_opaque(struct dwarf_obj *, const char *what, const char *name, u64 size);
struct type *dwarf_opaque_of(struct dwarf_obj *, Dwarf_Die *, const char *what);
/* dwarfarray.c */
struct type *dwarf_array(struct dwarf_obj *, Dwarf_Die *, struct type *of);
struct type *dwarf_type_of(struct dwarf_obj *, Dwarf_Die *);         /* what DW_AT_type says */
/* The function as the source has it, in *origin or `die` itself: a copy may list its parameters in
 * another order. */
Dwarf_Die *dwarf_as_declared(Dwarf_Die *die, Dwarf_Die *origin);
/*
 * Goes over the parameters of a function: those of a pack (`T... t`) are entries below it in gcc's.
 *
 *     struct dwarf_params_at at = { 0 };
 *     while (dwarf_next_parameter(func, &at, &die))
 */
struct dwarf_params_at {
	Dwarf_Die outer, inner;
	bool begun, in_pack;
};
bool dwarf_next_parameter(Dwarf_Die *func, struct dwarf_params_at *, Dwarf_Die *die);
/* The prototype of a function, from its DWARF entry, as T_FUNC. */
struct type *dwarf_prototype(struct dwarf_obj *, Dwarf_Die *, const char *name);

/* ---- dwarfpack.c, dwarfsplit.c: units in files of their own --------------------------- */

/* A package (.dwp); NULL: there is none, or it cannot be read. */
struct dwarf_pack;
struct dwarf_pack *pack_open(const char *path);
void pack_free(struct dwarf_pack *);             /* NULL is fine */
bool pack_has(const struct dwarf_pack *, u64 id);
/* A file in memory with the entries of the unit with this number (DW_AT_dwo_id); -1: none. */
int pack_unit(struct dwarf_pack *, u64 id);
const char *pack_lack(const struct dwarf_pack *);        /* why it is not used, or NULL */

/* The data of a section; NULL: it is not there, or packed. */
Elf_Data *split_section(Elf *, const char *name);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* debuginfo.h - what debugging information says of programs and of the kernel. */
#ifndef DTX_DEBUGINFO_H
#define DTX_DEBUGINFO_H

#include <dtx/provider.h>
#include <dtx/type.h>

struct dtx_env;
struct elfsyms;

/* dwarf/dwarfsource.c: types of programs and libraries: of the target's executable and of the
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
/* dwarf/dwarfjoined.c: the name of another function than the one of this name that has the same
 * code: the linker has joined them, or the compiler.  NULL: none. */
const char *dwarf_joined(struct dtx_env *, const char *path, u64 addr, const char *name);

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

#endif

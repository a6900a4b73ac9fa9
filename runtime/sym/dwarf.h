/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarf.h - what dwarf.c and dwarftype.c know of each other; everyone else has runtime.h. */
#ifndef DTX_DWARF_H
#define DTX_DWARF_H

#include <elfutils/libdw.h>

#include "runtime/sym/tables.h"

/* The debugging information of one object file. */
struct dwarf_obj {
	struct dwarf_obj *next;
	struct dtx_env *env;
	const char *path, *name;         /* name: the last part, for messages */
	bool tried;                      /* to open it */
	const char *file;                /* where it is */
	Dwarf *dw;                       /* NULL: there is none */
	int fd;                          /* of that file */
	void *at;                        /* where it is mapped */
	size_t size;
	struct guard *guard;             /* of the mapping */
	Elf *elf;                        /* dw reads from it */
	struct map *types;               /* made types, by where their entry is in memory */
	struct map *names; /* "s:tag", "S:namespace::tag", "n:name" → where the entry is; made when
			      asked */
	bool scoped;                     /* some of them are in namespaces */
};

/* The definition of a type, false: there is none.  "s:" for struct, union, enum and
 * class tags, "S:" for these with their namespaces, "n:" for typedefs and base types. */
bool dwarf_named(struct dwarf_obj *, char space, const char *name, Dwarf_Die *);
struct type *dwarf_type(struct dwarf_obj *, Dwarf_Die *);            /* never NULL */
/* The prototype of a function's entry as T_FUNC. */
struct type *dwarf_prototype(struct dwarf_obj *, Dwarf_Die *, const char *name);

#endif

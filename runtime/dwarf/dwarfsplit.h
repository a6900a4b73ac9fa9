/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarfsplit.h - shared by dwarfsplit.c and dwarfpack.c. */
#ifndef DTX_DWARFSPLIT_H
#define DTX_DWARFSPLIT_H

#include <gelf.h>

#include <dtx/base.h>

/* dwarfpack.c: a package (.dwp); NULL: there is none, or it cannot be read. */
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

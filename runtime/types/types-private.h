/* SPDX-License-Identifier: BSD-2-Clause */
/* types-private.h - shared by the files here; other folders include types.h. */
#ifndef DTX_TYPES_PRIVATE_H
#define DTX_TYPES_PRIVATE_H

#include <dtx/env.h>

#include "runtime/types/types.h"

/* ---- btf.c: the bytes of one BTF object, found by name ------------------------ */

/*
 * A module's BTF is split: its type ids and string offsets continue those of its base.
 * Every lookup of an id or a string first finds the object that holds it.
 */
#define BTF_DIR "/sys/kernel/btf"

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
/* btfbytes.c: fills data, len and mapped; false: they cannot be read.  `named`: the user names the
 * file, which is of this machine; else it is of the machine that programs are compiled for. */
bool btf_bytes(struct dtx_env *, struct btf_obj *, const char *path, bool named);
/* Opens the BTF of one file of that machine; `base`: the BTF that a module's continues, or NULL.
 * NULL: not BTF. */
struct btf_obj *btf_obj_open(struct btf_src *, const char *name, const char *path,
			     struct btf_obj *base);
/* From bytes in memory, which are copied; for its types only, not for names. */
struct btf_obj *btf_obj_memory(const void *data, size_t len);
void btf_obj_free(struct btf_obj *);             /* NULL is fine */
/* Bytes after the struct btf_type header; ~0 for an unknown kind. */
u32 btf_extra(const struct btf_type *);

/* ---- btftype.c: BTF to struct type --------------------------------------------- */

struct type *btf_type_of(struct btf_obj *, u32 id);                 /* NULL: malformed */

/* ---- tpnames.c: names of the values of fields, out of "print fmt" -------------------- */

void tpnames_read(struct arena *, struct tp_event *, const char *fmt);

#endif

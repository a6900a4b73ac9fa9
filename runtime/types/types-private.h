/* SPDX-License-Identifier: BSD-2-Clause */
/* types-private.h - shared by the files here; other folders include types.h. */
#ifndef DTX_TYPES_PRIVATE_H
#define DTX_TYPES_PRIVATE_H

#include <linux/btf.h>

#include <dtx/env.h>

#include "runtime/types/types.h"

/* ---- btf.c: the bytes of one BTF object, found by name ------------------------ */

/*
 * A module's BTF is split: its type ids and string offsets continue those of its base.
 * Every lookup of an id or a string first finds the object that holds it.
 */
#define BTF_DIR "/sys/kernel/btf"

enum { BTF_OTHERS, BTF_FUNCS };

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
	u32 *next;               /* of the list or chain an id is in; 0 ends */
	struct btf_names {
		u32 list;        /* its lowest id, until there are chains */
		u32 times;       /* it was gone through */
		u32 *chains, bits;       /* ids by the upper bits of their hash; NULL: not yet */
	} names[2];              /* BTF_OTHERS, BTF_FUNCS */
	bool enum_signs;         /* enumerations have a sign flag */
	struct type **memo;      /* converted types (btftype.c) */
	u32 obj_id;              /* kernel id of a module's BTF, for attaching; 0: not yet
				  * requested */
};

const struct btf_type *btf_at(const struct btf_obj *, u32 id);      /* NULL: bad id */
const char *btf_str(const struct btf_obj *, u32 off);               /* never NULL */
/* Id of the first type with this name and one of the kinds (mask of 1 << BTF_KIND_*; FUNC is alone,
 * as functions have chains of their own). */
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
/* Bytes of a type, by its kind, and of each of its members. */
extern const struct btf_size { u8 own, each; } btf_sizes[];
/* 0: an unknown kind. */
static inline u32 btf_size(const struct btf_type *t)
{
	const struct btf_size *size = &btf_sizes[BTF_INFO_KIND(t->info)];

	return size->own + BTF_INFO_VLEN(t->info) * size->each;
}

/* ---- btftype.c: BTF to struct type --------------------------------------------- */

struct type *btf_type_of(struct btf_obj *, u32 id);                 /* NULL: malformed */

/* ---- tpnames.c: names of the values of fields, out of "print fmt" -------------------- */

void tpnames_read(struct arena *, struct tp_event *, const char *fmt);

#endif

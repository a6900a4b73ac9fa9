/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.h - the type graph, and where types come from.
 *
 * Every type is a node in an arena; equal pointers mean equal types for the
 * basic types, structural questions go through compiler/type.c.  Sizes are in
 * bytes, member offsets in bits (as BTF and DWARF have them), the data model is
 * LP64.
 */
#ifndef DTX_TYPE_H
#define DTX_TYPE_H

#include "base.h"

enum type_kind {
	T_VOID,
	T_INT,   /* integers, char, bool */
	T_FLOAT, /* only to get layouts right */
	T_ENUM,
	T_PTR,   /* to */
	T_ARRAY, /* to, count */
	T_STRUCT,
	T_UNION,
	T_FUNC,    /* to (return), params */
	T_TYPEDEF, /* name, to */
	T_STRING,  /* D's string; size = capacity in bytes with the NUL, 0 = strsize + 1 */
	T_STACK,   /* stack(), ustack(), jstack(); is_user; count = frames at most (never 0
		    * after check: the argument, or stackframes/ustackframes) */
	T_SYMADDR, /* func() sym() mod() and, with is_user, ufunc() …; name = which ("func") */
	T_DYN,     /* aggregation, bare associative array, translated object */
};

struct type_member {
	const char *name;        /* NULL or "": anonymous */
	struct type *type;
	u32 bit_off;             /* from the start of the struct */
	u16 bit_size;            /* 0: not a bit-field */
};

struct type_enumerator {
	const char *name;
	s64 value;
};

struct type {
	enum type_kind kind;
	const char *name;        /* base type, tag or typedef name; NULL if none */
	u64 size; /* bytes; 0 for incomplete types, void, functions, T_STRING default */
	struct type *to;
	u32 count;               /* array elements, number of members/params/enumerators */
	bool is_signed;          /* T_INT, T_ENUM */
	bool is_char;            /* plain char: printed as a character by print() */
	bool is_bool;
	bool incomplete;         /* forward struct/union/enum: look for a definition by name */
	bool is_vector; /* T_ARRAY: one value, as compilers have them for vector registers */
	bool is_user;            /* T_PTR to user memory; T_STACK/T_SYMADDR of the user side */
	bool is_const;
	bool variadic;           /* T_FUNC */
	bool in_memory; /* T_FUNC: the result is written where a hidden first argument points,
			 * whatever its size */
	bool is_flags;           /* T_ENUM: a value is a set of enumerators */
	u8 int_rank;             /* T_INT: tells long (5) from long long (6), int (4)…; D's "later
				  * type" rule.  char 1, short 2, int 4 */
	u16 align; /* T_STRUCT, T_UNION, T_TYPEDEF: as its source asks for, in bytes; 0: that of its
		    * members, of what it is another name of */
	struct type_member *members;          /* T_STRUCT, T_UNION */
	struct type_enumerator *enums;        /* T_ENUM */
	struct type_member *params;           /* T_FUNC: name, type */
	const char *origin;      /* where it was found: "kernel BTF", "the program", module name */
	u32 btf_id;              /* id in vmlinux BTF when it came from there, else 0 */
	/* Members and parameters (count, members, params, to of a function) of what stands
	 * behind a pointer are made when first wanted: type_complete().  The size is known. */
	void (*fill)(struct type *);     /* non-NULL: not yet made */
	void *fill_arg;
	u32 fill_id;
};

/*
 * A type source answers by name.  Sources are asked in the order the
 * environment lists them (the program's own declarations come first, in
 * compiler/scope.c); none chooses between sources.
 */
struct type_source {
	const char *name;        /* "kernel BTF" */
	/* `what`: T_STRUCT, T_UNION, T_ENUM for tags, T_TYPEDEF for any plain name
	 * (typedef or base type).  Result in `a`, NULL if unknown. */
	struct type *(*by_name)(struct type_source *, struct arena *a, enum type_kind what,
				const char *name);
	/* Prototype of a function as T_FUNC with parameter names, NULL if unknown.
	 * `module` NULL or "" = vmlinux first, then any. */
	struct type *(*function)(struct type_source *, struct arena *a, const char *module,
				 const char *name);
	/* Type of a variable (kernel symbol), NULL if unknown. */
	struct type *(*variable)(struct type_source *, struct arena *a, const char *module,
				 const char *name);
	/* An enum with a constant of this name, NULL if unknown; may be NULL. */
	struct type *(*enumerator)(struct type_source *, const char *name);
	/* Calls fn for each member-like near name (struct tags) for did-you-mean; may be NULL */
	void *priv;
};

/* Basic types, shared and immutable (base/types.c). */
extern struct type ty_void, ty_char, ty_schar, ty_uchar, ty_short, ty_ushort, ty_int, ty_uint,
	ty_long, ty_ulong, ty_llong, ty_ullong, ty_int128, ty_uint128, ty_bool, ty_float, ty_double,
	ty_ldouble, ty_string, ty_dyn, ty_stack, ty_ustack;
/* Named integer types every program has (typedef nodes): int8_t … uint64_t, size_t, pid_t … */
struct type *type_builtin(const char *name);

struct type *type_ptr(struct arena *, struct type *to);
struct type *type_array(struct arena *, struct type *to, u32 count);
struct type *type_string_of(struct arena *, u32 capacity);   /* bytes with NUL */

/* Call before looking at members or params of any struct, union or function type by
 * hand (type_find_member() and type_text() do it themselves).  Gives t; NULL is fine. */
struct type *type_complete(struct type *t);
/* For type sources: the same of the structs and unions that the members of `su` hold by value. */
void type_complete_held(struct type *su);
/* For type sources: the typedef t is another name of `to` (NULL: void), and of its size. */
void type_alias(struct type *t, struct type *to);

/* Strip typedefs (qualifiers are flags and need no stripping). */
static inline struct type *type_base(struct type *t)
{
	while (t && t->kind == T_TYPEDEF)
		t = t->to;
	return t;
}

/* A floating-point type that printf knows: no complex one, nor one of 128 bits; of the others the
 * size says which it is. */
bool type_is_real(const struct type *);

/* D text of a type as a user would write it: "struct sock *", "char [16]". */
void type_text(const struct type *, struct buf *out);
const char *type_name(struct arena *, const struct type *);

/*
 * Member by name, through anonymous structs and unions.  Adds the offset of
 * enclosing anonymous members to *bit_off.  NULL if there is none.
 */
const struct type_member *type_find_member(struct type *su, const char *name, u32 *bit_off);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.h - the type graph, and where types come from.
 *
 * Every type is a node in an arena.  Basic types are equal if their pointers
 * are equal; compiler/front/type.c compares other types.  Sizes are in bytes,
 * member offsets in bits (as in BTF and DWARF).  The data model is LP64.
 */
#ifndef DTX_TYPE_H
#define DTX_TYPE_H

#include "base.h"

enum type_kind {
	T_VOID,
	T_INT,   /* integers, char, bool */
	T_FLOAT, /* only for layouts */
	T_ENUM,
	T_PTR,   /* to */
	T_ARRAY, /* to, count */
	T_STRUCT,
	T_UNION,
	T_FUNC,    /* to (return), params */
	T_TYPEDEF, /* name, to */
	T_STRING,  /* D's string; size = capacity in bytes with the NUL, 0 = strsize + 1 */
	T_STACK,   /* stack(), ustack(), jstack(), pystack(); is_user; count = the most frames
		    * (never 0 after check: the argument, or stackframes/ustackframes) */
	T_SYMADDR, /* func() sym() mod() and, with is_user, ufunc() …; name: which one ("func") */
	T_DYN,     /* aggregation, bare associative array, translated object */
};

struct type_member {
	const char *name;        /* NULL or "": anonymous */
	struct type *type;
	u32 bit_off;             /* from the start of the struct */
	u16 bit_size;            /* 0: not a bit-field */
	u16 align;               /* that the program's source demands for it, in bytes; 0: none */
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
	bool is_vector; /* T_ARRAY: one value: a vector of the compiler */
	bool is_user;            /* T_PTR to user memory; T_STACK/T_SYMADDR of the user side */
	bool is_const;
	bool variadic;           /* T_FUNC */
	bool in_memory; /* T_FUNC: the result is always written where a hidden first argument
			 * points */
	bool is_flags;           /* T_ENUM: a value is a set of enumerators */
	u8 int_rank;             /* T_INT: distinguishes int (4), long (5), long long (6), for D's
				  * "later type" rule; char 1, short 2 */
	u16 align; /* T_STRUCT, T_UNION, T_TYPEDEF: alignment its source demands, in bytes; 0: that
		    * of its members or of the type it names */
	struct type_member *members;          /* T_STRUCT, T_UNION */
	struct type_enumerator *enums;        /* T_ENUM */
	struct type_member *params;           /* T_FUNC: name, type */
	const char *origin;      /* where it was found: "kernel BTF", "the program", module name */
	u32 btf_id;              /* id in vmlinux BTF when it came from there, else 0 */
	/* What a pointer points to gets its members and parameters (count, members, params, to
	 * of a function) on first use: type_complete().  Its size is known. */
	void (*fill)(struct type *);     /* non-NULL: not yet made */
	void *fill_arg;
	u32 fill_id;
};

/*
 * A type source answers by name.  Sources are asked in the order the
 * environment lists them (the program's own declarations come first, in
 * compiler/front/scope.c); a source never chooses between sources.
 */
struct type_source {
	const char *name;        /* "kernel BTF" */
	bool is_kernel;          /* its types are those of the running kernel */
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
	ty_ldouble, ty_string, ty_dyn, ty_stack, ty_ustack, ty_pystack;
/* Named integer types every program has (typedef nodes): int8_t … uint64_t, size_t, pid_t … */
struct type *type_builtin(const char *name);

struct type *type_ptr(struct arena *, struct type *to);
struct type *type_array(struct arena *, struct type *to, u32 count);
struct type *type_string_of(struct arena *, u32 capacity);   /* bytes with NUL */

/* Call it before reading members or params of a struct, union or function type directly
 * (type_find_member() and type_text() call it themselves).  Returns t; NULL is fine. */
struct type *type_complete(struct type *t);
/* For type sources: completes the structs and unions that the members of `su` hold by value. */
void type_complete_held(struct type *su);
/* For type sources: makes the typedef t another name of `to` (NULL: void), with its size. */
void type_alias(struct type *t, struct type *to);

/* Strip typedefs (qualifiers are flags and need no stripping). */
static inline struct type *type_base(struct type *t)
{
	while (t && t->kind == T_TYPEDEF)
		t = t->to;
	return t;
}

/* Is it a pystack()? */
bool type_is_python(const struct type *);
/* Is it a floating-point type that printf can print?  Complex types and types of 128 bits are
 * not; the size distinguishes the others. */
bool type_is_real(const struct type *);
/* Is it a vector whose size only the processor knows, or a tuple of such? */
bool type_is_scalable(struct type *);

/* The text of a type as written in D: "struct sock *", "char [16]". */
void type_text(const struct type *, struct buf *out);
const char *type_name(struct arena *, const struct type *);

/*
 * Finds a member by name, also in anonymous structs and unions.  Adds the
 * offset of enclosing anonymous members to *bit_off.  NULL: not found.
 */
const struct type_member *type_find_member(struct type *su, const char *name, u32 *bit_off);

#endif

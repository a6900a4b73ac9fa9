/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ast.h - the result of the front end, read by all later passes: nodes, clauses,
 * declarations, names.  Only data; the functions are in front.h.
 */
#ifndef DTX_FRONT_AST_H
#define DTX_FRONT_AST_H

#include <dtx/base.h>
#include <dtx/abi.h>
#include <dtx/compile.h>
#include <dtx/diag.h>
#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/provider.h>
#include <dtx/type.h>

struct comp;
struct sym;

/* ---- nodes --------------------------------------------------------------- */

/*
 * One struct for all nodes.  Operands are a, b, c; lists (arguments, keys,
 * statements) are chained by `next`.  After check every expression has `type`, and
 * names are resolved (`sym`, `row`, `arg`).  Kinds marked (parse) exist only before
 * check, those marked (typed) are made by check.
 */
enum node_kind {
	/* literals */
	N_INT, /* value, type */
	N_STR, /* str, len (without the NUL) */
	/* names */
	N_IDENT,   /* (parse) name; scope: 0 plain, SCOPE_SELF, SCOPE_THIS; ` kept in name */
	N_MACRO,   /* unused: macros are tokens of the lexer */
	N_VAR,     /* (typed) sym: scalar global, self->, this-> */
	N_ASSOC,   /* (typed) sym, list = keys: one element of an associative array */
	N_BUILTIN, /* (typed) row: built-in variable */
	N_ARG,     /* (typed) value = index of args[]; raw = argN as int64_t */
	N_KSYM,    /* (typed) kernel object: img->ksyms[value]; type = its type */
	/* expressions */
	N_CALL,     /* name (or a: D_FUNC_IDENT): callee, op_at = its place, list =
		     * arguments; row after check */
	N_INDEX,    /* a[list]; typed: pointer/array indexing with one index in b */
	N_MEMBER,   /* a.name (op '.') or a->name (op OP_ARROW); typed: member, field */
	N_UNARY,    /* op: '-' '+' '~' '!' '*' '&'; '+' does not survive check */
	N_INCDEC,   /* op '+' or '-', prefix */
	N_BINARY,   /* op, a, b: arithmetic, comparison, && || ^^ */
	N_ASSIGN,   /* op '=' or the operator of a compound one; a = lvalue, b */
	N_COND,     /* a ? b : c */
	N_COMMA,    /* a, b */
	N_CAST,     /* to `type`, a; check inserts casts for conversions that change bits */
	N_SIZEOF,   /* (parse) type or a */
	N_OFFSETOF, /* (parse) type, name */
	N_STRINGOF, /* a: address or string-compatible to string */
	N_XLATE,    /* (parse) type, a */
	/* statements */
	N_EXPR,   /* a: expression statement */
	N_AGG,    /* @str[list] = name(b): str = aggregation, list = keys, name =
		   * function, op_at = its place, b = argument list; sym after check */
	N_IF,     /* a = condition, b = then list, c = else list */
	N_BLOCK,  /* b = list */
	N_LOOP,   /* a = condition or NULL, b = body list, c = step list; typed: value =
		   * the most turns */
	N_JUMP,   /* op: 'b' break, 'c' continue, 'r' return from the clause */
	N_ACTION, /* (typed) call of an action: row, act = manifest entry; list = the run-time
		   * values only (formats, constants and aggregations moved into act by check);
		   * layout gives the i-th of them act->fields[i] */
	N_AGGREF, /* @name outside an N_AGG: name, list = keys (parse); sym after check */
	N_KINDS
};

enum { SCOPE_PLAIN, SCOPE_SELF, SCOPE_THIS };

/* Operators are their character, or one of these for longer ones. */
enum op {
	OP_SHL = 256, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_ANDAND, OP_OROR, OP_XORXOR, OP_ARROW,
	OP_LIKE, OP_UNLIKE,      /* =~ !~: a string against a literal pattern */
};

/*
 * Kinds of memory, by how they are read.  Only check/expr/memory.c decides in which memory an
 * object lies and which one a pointer points to.
 */
enum memory {
	MEM_NONE,    /* not an object or an address */
	MEM_OWN,     /* memory of the program itself: plain loads */
	MEM_TRUSTED, /* a kernel object that the verifier knows by BTF (an argument, the current
		      * task, what their members point to): plain loads, NULL is a fault */
	MEM_KERNEL,  /* any other address: a helper call; a fault if it fails */
	MEM_USER,    /* the same in the memory of the current process */
	MEM_SCRATCH, /* of alloca() and copyin(): the address is checked against it, then plain
		      * loads
		      */
	MEM_ANY, /* text and bytes: user or kernel memory by the sign of the address; else KERNEL */
};

/* The place of a member in its struct; decided by check/expr/member.c. */
struct field {
	u32 off;                 /* offset in bytes; for a bit-field that of its unit */
	u32 unit; /* bit-fields: bytes loaded and stored at once; 0: not a bit-field */
	u32 shift, size;         /* bits in the unit */
	bool is_signed;
	bool is_over; /* its highest bits are in the byte after the unit, which then has 8 bytes */
};

struct node {
	enum node_kind kind;
	int op;
	struct range at;         /* the whole construct */
	struct range op_at;      /* the operator or member name, for the caret */
	struct type *type;
	struct node *a, *b, *c;
	struct node *list;
	struct node *next;
	const char *name;
	const char *str;         /* N_STR, with escapes expanded */
	u32 len;
	u64 value;
	int scope;
	bool prefix;             /* N_INCDEC */
	bool raw;                /* N_ARG: argN */
	bool paren;              /* was written in parentheses */
	bool given;              /* N_CAST, N_INT: of what an inline or a translator was given */
	bool lvalue;             /* after check */
	bool by_option;          /* of a stack, after check: an option says how many frames */
	bool is_signed;          /* N_BINARY after check: signed comparison / division / shift */
	struct sym *sym;
	struct type *names;      /* values of actions: %s prints these names; or NULL */
	const struct builtin *row;
	const struct agg_func *aggrow;
	const struct type_member *member;
	const struct translator *xlate;  /* N_XLATE: found by check; never reaches emit */
	struct field field;      /* N_MEMBER after check: its place in the struct of a */
	enum memory lies;        /* after check, of an object: the memory it is in */
	enum memory leads;       /* after check, of an address: the memory it points to */
	struct img_action *act;  /* N_ACTION after layout */
	u32 place;               /* layout: string temporary of this node + 1, 0: none */
	u32 depth;               /* parse: levels below, at most NODE_DEPTH */
};

#define NODE_DEPTH  2000         /* deeper expressions are refused, because every pass recurses */

/* ---- the parts of a program ------------------------------------------------ */

/* A probe description as written, macros substituted. */
struct pdesc {
	const char *text;
	struct range at;
	struct pattern_set *set;     /* probe.c */
	struct dtx_pattern pat;
	bool bad;                    /* no description, as was told: pat is not to be used */
	struct dtx_probe **probes;   /* the probes it matched, in order */
	u32 nprobes;
	struct pdesc *next;
};

struct clause {
	struct pdesc *descs;
	struct node *pred;       /* NULL: none */
	struct node *body;       /* statement list; NULL: empty body */
	bool has_body;
	bool library;            /* of a library file: it is checked, and never enabled */
	bool after;              /* of dtx itself: in programs of its own, after the others */
	struct range at;
	u32 index;               /* compile order, from 0 */
	struct dtx_program *prog;
	struct clause *next;
};

/* translator OUT < IN param > { name = expr; … }; */
struct xlate_member {
	const char *name;
	struct node *expr;       /* `param` is an N_IDENT in it */
	struct range at;
	struct xlate_member *next;
};

struct translator {
	struct type *out, *in;
	const char *param;
	struct range at;
	struct xlate_member *members;
	struct translator *next;
};

/* provider NAME { probe name(native) : (mapped); … }; */
struct provdef_probe {
	const char *name;        /* as written: __ not yet - */
	struct range at;
	struct type_member *native, *mapped;    /* name may be NULL */
	u32 nnative, nmapped;
	bool has_mapped;
	struct provdef_probe *next;
};

struct provdef {
	const char *name;
	struct range at;
	struct provdef_probe *probes;
	struct provdef *next;
};

/* Everything at the top level of the programs, in textual order (for dumps). */
enum toplevel_kind { TOP_CLAUSE, TOP_SYM, TOP_TYPE, TOP_XLATE, TOP_PROVDEF };

struct toplevel {
	enum toplevel_kind kind;
	void *what;              /* struct clause, sym, type, translator, provdef */
	struct toplevel *next;
};

/* Declarations are entered by scope.c during parsing (the lexer needs the names of types). */
struct ast {
	struct clause *first, **last;
	u32 nclauses;
	struct translator *xlates, **xlates_last;
	struct provdef *provdefs, **provdefs_last;
	struct toplevel *toplevel, **toplevel_last;
};

/* ---- names ------------------------------------------------------------------- */

enum sym_kind { SYM_VAR, SYM_ASSOC, SYM_AGG, SYM_INLINE, SYM_ENUM, SYM_TYPEDEF };
enum sym_space { SPACE_GLOBAL, SPACE_SELF, SPACE_THIS, SPACE_AGG };

/* Where a variable lives; decided by layout.c. */
enum var_place {
	PLACE_NONE,
	PLACE_GLOBAL,    /* off in the data section of globals */
	PLACE_LOCAL,     /* this->: LLVM local (alloca), never escapes the program */
	PLACE_SCRATCH,   /* this->: off in the scratch area of the firing */
	PLACE_SELF,      /* off in the thread's storage value */
	PLACE_MAP,       /* associative array: map `map` */
};

/* What a pointer variable points to; it cannot hold both kinds. */
enum { POINTS_UNKNOWN, POINTS_SCRATCH, POINTS_OTHER, POINTS_MIXED };

struct sym {
	enum sym_kind kind;
	enum sym_space space;
	const char *name;        /* without @, self->, this-> */
	struct type *type;       /* value type; strings: T_STRING */
	struct type **keys;      /* SYM_ASSOC, SYM_AGG: key types (after first use) */
	u32 nkeys;
	bool keyed;              /* SYM_AGG: used with [] */
	bool declared;           /* by a declaration, not by first use */
	const struct translator *xlate;  /* a translated pointer was assigned: the variable has what
					  * is translated, … */
	struct type *translated; /* … and is read as this dynamic type */
	bool met;                /* assigned: known from there on, even if it is declared later */
	u8 points;               /* pointers: POINTS_* of what was assigned (check_assign.c) */
	struct range at;         /* where it was first seen */
	s64 value;               /* SYM_ENUM, constant SYM_INLINE */
	struct node *expr;       /* SYM_INLINE */
	struct sym **params;     /* SYM_INLINE with parameters */
	u32 nparams;
	bool is_const;           /* SYM_INLINE that folds to an integer */
	bool refused;            /* SYM_INLINE whose definition has an error */
	u32 walk;                /* SYM_INLINE: the last walk that went through it (need.c) */
	bool hidden;             /* newer than -x version: the program cannot use it */
	bool lib;                /* from a library of dtx: a program may redeclare it */
	/* aggregations */
	const struct agg_func *agg;
	s64 params_v[AGG_CONSTS_MAX];
	u32 nparams_v;
	u32 index;               /* SYM_AGG: in comp->img->aggs; others: order of appearance */
	/* layout */
	enum var_place place;
	u32 off, size;           /* bytes */
	u32 slot_off;            /* PLACE_LOCAL: its offset in the scratch area, in large
				  * programs */
	u32 gate;                /* self->: number of its count of threads + 1 (flag.c), 0: none */
	const char *map;
	u32 key_size;
	u32 *key_off;            /* offset of each key in the key tuple */
	u32 cpu_off, cpu_size;   /* aggregations: place of the CPU number */
	const struct node *first;        /* aggregations: the first statement that uses it */
	const char *unit;        /* variables: of what is assigned to it, or NULL */
	bool units_differ;       /* of what is assigned to it */
	u64 each;                /* SYM_AGG: as img_agg.each */
	bool counted;            /* SYM_AGG: `each` has been asked for once */
	bool turns;              /* aggregations: dtx takes their rows out; two pairs of maps */
	bool shelved;            /* aggregations, arrays: the maps are on a shelf
				  * (group.c) */
	struct sym *next;        /* all symbols of the compilation, in order */
};

#endif

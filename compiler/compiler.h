/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compiler.h - private header of compiler/, one section a file, in pass order.
 *
 *   text ─ parse ─► AST ─ probe, check, fold ─► typed AST ─ layout ─► plan ─ emit ─► module
 *        ─ link ─► object with manifest
 *
 * Reading it from top to bottom is reading the compiler from front to back.
 */
#ifndef DTX_COMPILER_H
#define DTX_COMPILER_H

#include <dtx/base.h>
#include <dtx/abi.h>
#include <dtx/compile.h>
#include <dtx/diag.h>
#include <dtx/env.h>
#include <dtx/image.h>
#include <dtx/provider.h>
#include <dtx/type.h>

struct comp;
struct node;
struct sym;
struct clause;
struct inst;

/* ---- ast.c: nodes -------------------------------------------------------- */

/*
 * One struct for all nodes.  Operands are a, b, c; lists (arguments, keys,
 * statements) are chained by `next`.  After check every expression has `type`,
 * names are resolved (`sym`, `row`, `arg`), sugar is gone: the kinds marked (parse)
 * do not survive, those marked (typed) are made by check.
 */
enum node_kind {
	/* literals */
	N_INT,           /* value, type */
	N_STR,           /* str, len (without the NUL) */
	/* names */
	N_IDENT,         /* (parse) name; scope: 0 plain, SCOPE_SELF, SCOPE_THIS; ` kept in name */
	N_MACRO,         /* unused: macros are tokens of the lexer */
	N_VAR,           /* (typed) sym: scalar global, self->, this-> */
	N_ASSOC,         /* (typed) sym, list = keys: one element of an associative array */
	N_BUILTIN,       /* (typed) row: built-in variable */
	N_ARG,           /* (typed) value = index of args[]; raw = argN as int64_t */
	N_KSYM,          /* (typed) kernel object: img->ksyms[value]; type = its type */
	/* expressions */
	N_CALL,          /* name (or a: D_FUNC_IDENT): callee, op_at = its place, list =
			  * arguments; row after check */
	N_INDEX,         /* a[list]; typed: pointer/array indexing with one index in b */
	N_MEMBER,        /* a.name (op '.') or a->name (op OP_ARROW); typed: member, bit_off */
	N_UNARY,         /* op: '-' '+' '~' '!' '*' '&'; '+' does not survive check */
	N_INCDEC,        /* op '+' or '-', prefix */
	N_BINARY,        /* op, a, b: arithmetic, comparison, && || ^^ */
	N_ASSIGN,        /* op '=' or the operator of a compound one; a = lvalue, b */
	N_COND,          /* a ? b : c */
	N_COMMA,         /* a, b */
	N_CAST,          /* to `type`, a; check inserts these for conversions that change bits */
	N_SIZEOF,        /* (parse) type or a */
	N_OFFSETOF,      /* (parse) type, name */
	N_STRINGOF,      /* a: address or string-compatible to string */
	N_XLATE,         /* (parse) type, a */
	/* statements */
	N_EXPR,          /* a: expression statement */
	N_AGG,           /* @str[list] = name(b): str = aggregation, list = keys, name =
			  * function, op_at = its place, b = argument list; sym after check */
	N_IF,            /* a = condition, b = then list, c = else list */
	N_BLOCK,         /* b = list */
	N_LOOP,          /* a = condition or NULL, b = body list, c = step list; typed: value =
			  * how often it may turn */
	N_JUMP,          /* op: 'b' break, 'c' continue, 'r' return from the clause */
	N_ACTION,        /* (typed) call of an action: row, act = manifest entry; list = the run-time
			  * values only (formats, constants and aggregations moved into act by check);
			  * layout gives the i-th of them act->fields[i] */
	N_AGGREF,        /* @name outside an N_AGG: name, list = keys (parse); sym after check */
	N_KINDS
};

enum { SCOPE_PLAIN, SCOPE_SELF, SCOPE_THIS };

/* Operators are their character, or one of these for longer ones. */
enum op {
	OP_SHL = 256, OP_SHR, OP_LE, OP_GE, OP_EQ, OP_NE, OP_ANDAND, OP_OROR, OP_XORXOR, OP_ARROW,
	OP_LIKE, OP_UNLIKE,      /* =~ !~: a string against a pattern, which is a literal */
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
	bool lvalue;             /* after check */
	bool is_signed;          /* N_BINARY after check: signed comparison / division / shift */
	struct sym *sym;
	struct type *names;      /* values of actions: printed by these names (%s), or NULL */
	const struct builtin *row;
	const struct agg_row_def *aggrow;
	const struct type_member *member;
	const struct translator *xlate;  /* N_XLATE: found by check; never reaches emit */
	u32 bit_off;             /* N_MEMBER: from the start of a's struct */
	struct img_action *act;  /* N_ACTION after layout */
	u32 place;               /* layout: string temporary of this node + 1, 0: none */
	u32 depth;               /* parse: levels below, at most NODE_DEPTH */
};

#define NODE_DEPTH  2000         /* deeper expressions are refused: every pass recurses */

struct node *node_new(struct comp *, enum node_kind, struct range);
struct node *node_copy(struct comp *, const struct node *);      /* deep, lists too */
struct node *node_append(struct node *list, struct node *item);  /* list may be NULL */
u32 node_count(const struct node *list);
bool ast_is_agg(const struct node *expr);                         /* @a[keys] = … */
struct node *ast_agg_stmt(struct comp *, struct node *assign);    /* that as an N_AGG; NULL: told why not */
/* Calls fn on n and everything below, parents first; stops when fn returns false. */
bool node_walk(struct node *n, bool (*fn)(struct node *, void *), void *arg);

/* The list of what fn makes of each node of a list; fn gets it alone (no next), and gives one. */
struct node *node_map(struct node *list, struct node *(*fn)(struct node *, void *), void *arg);

/* ---- parse.c: text to AST -------------------------------------------------- */

/* A probe description as written, macros substituted. */
struct pdesc {
	const char *text;
	struct range at;
	struct pattern_set *set;     /* probe.c */
	struct dtx_pattern pat;
	struct dtx_probe **probes;   /* what it matched, in order */
	u32 nprobes;
	struct pdesc *next;
};

struct clause {
	struct pdesc *descs;
	struct node *pred;       /* NULL: none */
	struct node *body;       /* statement list; NULL: empty body */
	bool has_body;
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
enum item_kind { ITEM_CLAUSE, ITEM_SYM, ITEM_TYPE, ITEM_XLATE, ITEM_PROVDEF };

struct item {
	enum item_kind kind;
	void *what;              /* struct clause, sym, type, translator, provdef */
	struct item *next;
};

/* Declarations reach scope.c while parsing (names of types steer the lexer). */
struct ast {
	struct clause *first, **last;
	u32 nclauses;
	struct translator *xlates, **xlates_last;
	struct provdef *provdefs, **provdefs_last;
	struct item *items, **items_last;
};

/*
 * All programs in order.  Errors go to comp->env->diags; recovery at clause ends.
 * What the lexer, the grammar and decl.c share is in parse.h.
 */
bool parse_programs(struct comp *);
void parse_library(struct comp *, const struct source *);

/* ---- header.c: what programs with probes of their own include (-h) ------------- */

bool header_write(struct comp *, struct buf *);

/* ---- decl_prov.c: provider declarations ---------------------------------------- */

/* The types and names that a declaration of the program gives the arguments of a USDT probe. */
void provdef_apply(struct comp *, struct dtx_probe *);

/* ---- scope.c: names ---------------------------------------------------------- */

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

/* Where a pointer variable points to: it cannot hold both kinds. */
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
	bool met;                /* assigned: known from there on, though it is declared behind */
	u8 points;               /* pointers: POINTS_* of what was assigned (check_assign.c) */
	struct range at;         /* where it became known */
	s64 value;               /* SYM_ENUM, constant SYM_INLINE */
	struct node *expr;       /* SYM_INLINE */
	struct sym **params;     /* SYM_INLINE with parameters */
	u32 nparams;
	bool is_const;           /* SYM_INLINE that folds to an integer */
	bool hidden;             /* newer than -x version: unknown to the program */
	bool lib;                /* of a library that is part of dtx: a program may redeclare it */
	/* aggregations */
	const struct agg_row_def *agg;
	s64 params_v[4];
	u32 nparams_v;
	u32 index;               /* SYM_AGG: in comp->img->aggs; others: order of appearance */
	/* layout */
	enum var_place place;
	u32 off, size;           /* bytes */
	u32 slot_off;            /* PLACE_LOCAL: in the scratch area, for large programs */
	const char *map;
	u32 key_size;
	u32 *key_off;            /* offset of each key in the key tuple */
	u32 cpu_off, cpu_size;   /* aggregations: of the CPU */
	struct sym *next;        /* all symbols of the compilation, in order */
};

/* Is it the name of a type, so that no variable can have it? (decl.c) */
bool decl_is_type(struct comp *, enum sym_space, const char *name);
struct sym *scope_find(struct comp *, enum sym_space, const char *name);
/* Without looking into the libraries that are part of dtx. */
struct sym *scope_peek(struct comp *, enum sym_space, const char *name);
struct sym *scope_add(struct comp *, enum sym_space, enum sym_kind, const char *name, struct range);
/* A type by name: the program's own, then the type sources in order.  what as in type.h. */
struct type *scope_type(struct comp *, enum type_kind what, const char *name);
void scope_add_type(struct comp *, enum type_kind what, const char *name, struct type *);
bool scope_is_typename(struct comp *, const char *name);     /* for the lexer */
/* Objects of the kernel that the program declares itself (extern): their type, or NULL. */
void scope_add_extern(struct comp *, const char *name, struct type *);
struct type *scope_extern(struct comp *, const char *name);
/* Completes a forward struct/union/enum by name when a source knows it. */
struct type *scope_complete(struct comp *, struct type *);

/* ---- cpp.c: -C ------------------------------------------------------------------ */

/* The script as the C preprocessor leaves it; NULL after an error. */
const struct source *cpp_source(struct comp *, const struct source *);
/* Makes blank what D does not read in the headers that preprocessed text holds. */
void cheader_blank(char *text, size_t len, const char *script);
/* Is this text of a header, not of the script? */
bool cheader_is(struct range at);

/* ---- stability.c: stability, versions, pragmas about names ------------------------ */

bool stability_check(struct comp *);             /* after check; img_desc.stability, amin */
bool stability_valid(const char *text);          /* NAME/DATA/CLASS */
bool stability_options(struct comp *);           /* are -x version and -x amin right? */
bool version_known(const char *text);
s64 version_number(const char *text);            /* -1: malformed */
/* attr or version of a name, or of a provider's, that may not be known yet. */
void pragma_keep(struct comp *, const char *name, const char *attr, const char *version,
		 bool provider, struct range);
void pragma_named(struct comp *, struct sym *);
void pragma_finish(struct comp *);               /* D_PRAGMA_UNUSED */

/* ---- lib.c: D libraries --------------------------------------------------------- */

enum { LIB_NONE, LIB_OWN, LIB_FILE };            /* comp->in_lib: part of dtx, a file */
extern const char lib_origin[];                  /* type->origin of the former's types */

bool lib_open(struct comp *);                    /* files of syslibdir, libdir, -L */
void lib_close(struct comp *);
/* Parses the part of the library that declares the name; false: nothing new is known. */
bool lib_name(struct comp *, const char *name);
bool lib_type(struct comp *, enum type_kind what, const char *name);
bool lib_has_provider(struct comp *, const char *name);
bool lib_has_module(struct comp *, const char *name);

/* ---- stable.c: conditions and arguments that are D text ------------------------------ */

struct node *stable_when(struct comp *, struct dtx_probe *); /* checked; NULL: none, or an error */
struct node *stable_arg(struct comp *, struct dtx_probe *, u32 index);   /* native value, checked */
struct clause *stable_clause(struct comp *, const struct dtx_probe *, const char *text);  /* parsed */

/* ---- tables -------------------------------------------------------------------- */

enum builtin_kind { BK_VAR, BK_FUNC, BK_ACT };

/* How a built-in becomes code or data. */
enum builtin_lower {
	BL_CALL,         /* function dtx_NAME of the BPF library (emit_expr.c has the convention) */
	BL_EMIT,         /* a function of the code generator, by name (emit.h table) */
	BL_RECORD,       /* appends fields to the record; the consumer acts */
	BL_CONSUMER,     /* only the consumer acts (clear, normalize …): a record without data */
	BL_ALIAS,        /* another spelling: `target` */
	BL_REWRITE,      /* the checker says it with others (check_port.c) */
};

struct builtin {
	const char *name;
	enum builtin_kind kind;
	const char *sig;         /* D text: "int", "string (string, string)", see builtins.def */
	enum builtin_lower lower;
	const char *target;      /* BL_ALIAS: the other name */
	u32 flags;               /* BF_* */
	const char *doc, *example, *output;
};

#define BF_DESTRUCTIVE  1        /* needs -w */
#define BF_NODATA       2        /* recording action that prints no line by itself */
#define BF_USER         4        /* depends on the current process */
#define BF_LINUX        8        /* a Linux name: a declared variable or named argument may win */

const struct builtin *builtin_find(const char *name);        /* aliases followed */
const struct builtin *builtin_exact(const char *name);
extern const struct builtin builtins[];
extern const u32 nbuiltins;

struct agg_row_def {
	const char *name, *sig, *doc;
	u32 index;
};
const struct agg_row_def *agg_find(const char *name);        /* hist, lhist included */
/* Bytes of one value for the given constant parameters (no `used` word). */
u32 agg_value_size(const struct agg_row_def *, const s64 *params, u32 nparams);

/* ---- type.c: the rules of types ----------------------------------------------------- */

bool type_is_int(const struct type *);           /* integers and enums, through typedefs, of up to 64 bits */
bool type_is_wide(const struct type *);          /* an integer of more, which D does not compute with */
bool type_is_scalar(const struct type *);        /* integers, enums, pointers */
bool type_is_ptr(const struct type *);
bool type_is_string(const struct type *);        /* T_STRING */
bool type_is_strcompat(const struct type *);     /* string, char *, char [] */
bool type_is_struct(const struct type *);        /* struct or union */
bool type_signed(const struct type *);
bool type_in_user(const struct type *);          /* lies in user memory: it says so, or is of the traced program */
u64 type_size(struct comp *, const struct type *);           /* bytes; strings strsize + 1 */
u64 type_sizeof(struct comp *, const struct type *);         /* what sizeof says: strings strsize */
u32 type_align(const struct type *);
bool type_compat(struct comp *, struct type *, struct type *);    /* identical after typedefs */
bool type_assignable(struct comp *, struct type *to, struct type *from, const struct node *value);
struct type *type_promote(struct comp *, struct type *, struct type *);   /* d-language §8.1 */

/* ---- probe.c: what the descriptions match ----------------------------------------------- */

/*
 * A clause on one description: the unit that is checked and emitted.  All its probes
 * agree on the arguments it uses.
 */
struct inst {
	struct clause *clause;
	struct pdesc *desc;
	struct dtx_probe **probes;
	u32 nprobes;
	struct node *pred, *body;    /* typed copies */
	u32 site;                    /* index into img->sites */
	bool records;                /* has a record */
	bool uses_args;              /* argN, args[], named arguments, retval, errno */
	bool args_asked;             /* the providers were asked about them */
	u64 args_used;               /* bit n: argument n; bit 63: that one and all above */
	bool is_error;               /* on dtrace:::ERROR */
	bool leaves;                 /* has a return */
	u32 nstrs;                   /* string temporaries needed (layout/emit) */
	u32 part;                    /* instances of different parts do not share a program */
	u32 nodes, forks;            /* of predicate and body; forks: where paths part */
	struct inst *next;
};

bool probe_expand(struct comp *);                /* clauses → insts, via provider_list() */
/* Programs: probes with equal kind, clause list (and argument places when used) together. */
bool probe_group(struct comp *);

struct prog {
	u32 index;                   /* in img->progs */
	enum prog_kind kind;
	enum probe_ident ident;
	struct dtx_probe **probes;
	u32 nprobes;
	/* IDENT_DISPATCH: groups of probes with their own clause lists; else one group. */
	struct prog_group {
		struct dtx_probe **probes;
		u32 nprobes;
		struct inst **insts;     /* clauses in program order */
		u32 ninsts;
	} *groups;
	u32 ngroups;
	u32 order;                   /* attach order among programs of the same probes */
	u32 nodes;                   /* IDENT_DISPATCH: of its clauses */
	bool large;                  /* weight.c: made so that paths meet again */
	struct prog *next;
};

/* Index of a probe in img->probes. */
u32 probe_index(struct comp *, const struct dtx_probe *);

/* ---- check.c, check_call.c, check_agg.c, fold.c -------------------------------------------- */

bool check_insts(struct comp *);                 /* fills inst->pred, inst->body, records */
struct node *check_expr(struct comp *, struct node *);       /* typed node, NULL after an error */
struct node *check_cond(struct comp *, struct node *);       /* must be scalar */
struct node *check_call(struct comp *, struct node *);       /* subroutine in an expression */
struct node *check_action(struct comp *, struct node *);     /* N_EXPR with an action, else NULL */
struct node *check_agg(struct comp *, struct node *);
struct node *fold_node(struct comp *, struct node *);        /* constants; d-language §9 */
bool fold_const(struct comp *, struct node *, s64 *value);   /* integer constant expression */

/* ---- layout.c: places and sizes ---------------------------------------------------------------- */

/*
 * Gives every variable, key tuple, record field and string its place, and fills
 * comp->img (sites, aggregations, maps, programs, probes).  After this pass nobody
 * decides a size.
 */
bool layout(struct comp *);
/* layout_type.c: index of the type in img->types + 1; 0: its name says enough. */
u32 layout_type(struct comp *, struct type *);
u32 layout_names(struct comp *, struct type *);   /* the same, of a T_ENUM with its enumerators */

struct plan {
	u32 held_off, held;      /* values of large programs that wait for others; how many */
	u32 tail_off;            /* end of the record, in large programs */
	u32 globals_size;        /* bytes of the data section of D globals */
	u32 self_size;           /* bytes of one thread's storage value; 0: none */
	u32 scratch_size;        /* bytes of one scratch slot: record buffer + keys + strings */
	u32 rec_off, rec_size;   /* record buffer in the scratch slot (largest, tails included) */
	u32 key_off, key_size;   /* key buffer in the scratch slot */
	u32 this_off, this_size; /* this-> variables that are not locals */
	u32 str_off, str_slot;   /* string temporaries: offset of the first, bytes of each */
	u32 nstrs;               /* how many */
	u32 mem_off, mem_size;   /* alloca/copyin area (scratchsize) */
	u32 mem_mask;            /* of offsets in it: below a power of two */
	u32 work_off, work_size; /* work areas of string subroutines; 0 bytes: none (bpf/strfn.h) */
	u32 strsize;
	u32 probe_str_max;       /* longest probe field with the NUL */
};

/* ---- weight.c: what a program asks of the verifier ------------------------------------------------- */

#define PROG_NODES   7000        /* of the clauses of one probe in a program */
#define JOIN_NODES   3500        /* of all clauses of a program, when several probes share it */
#define CLAUSE_NODES 7000        /* of one clause */

void weigh_insts(struct comp *);                 /* inst->nodes, inst->forks */
void weigh_programs(struct comp *);              /* prog->large */
u32 weigh_waiting(struct comp *);                /* values that may wait at once */

/* ---- dump.c: -S ast, typed, plan ------------------------------------------------------------------ */

void dump_ast(struct comp *, struct buf *);
void dump_typed(struct comp *, struct buf *);
void dump_plan(struct comp *, struct buf *);
void dump_node(const struct node *, struct buf *);           /* one expression, D syntax */

/* ---- emit.h has the code generator's own header; link.c, manifest.c -------------------------------- */

/* Module for all programs, linked with the library, optimised, emitted: img->elf. */
bool emit_image(struct comp *);

/* ---- compile.c: the pass list ------------------------------------------------------------------------ */

struct comp {
	struct dtx_env *env;
	struct arena *arena;         /* the compilation's; the image's strings live here too */
	struct dtx_program *progs;
	u32 nprogs;
	const struct compile_opts *opts;
	struct ast ast;
	struct map *types[4];        /* scope.c: program types by name (struct union enum typedef) */
	struct map *names[4];        /* scope.c: symbols by space */
	struct sym *syms, **syms_last;
	struct inst *insts, **insts_last;
	struct prog *bprogs;         /* BPF programs */
	u32 nbprogs;
	struct dtx_probe **probes;   /* all matched probes, in order of img->probes */
	u32 nprobes;
	struct keytab *probe_ids;    /* id, site → index + 1 */
	struct plan plan;
	struct img *img;
	/* check: where we are */
	struct clause *clause;
	struct inst *inst;
	u32 replaced;                /* nodes made by inlines and translators in it */
	u32 level;                   /* of check_expr() */
	u32 loops;                   /* around the statement that is checked */
	struct map *idle;            /* "space name" that clauses without probes make, NULL: none */
	bool idle_params;            /* in such a clause: unknown names may be parameters */
	struct node *indexed;        /* the N_INDEX whose array is being looked at, as it was written */
	void *lex;                   /* parse.c: lexer state */
	struct libs *libs;           /* lib.c */
	struct pragma_ident *pragmas;        /* stability.c */
	u32 in_lib;                  /* LIB_*: what is parsed now */
	struct clause *lib_clause;   /* the last clause of a library's text */
	bool in_base;                /* check: args[] are those of a stable probe's place */
};

#endif

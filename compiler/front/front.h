/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front.h - turns text into an AST: the parser, names, types, tables, the D library.
 *
 * compiler/front/ includes this, ast.h, comp.h, parse.h (the parser's own) and base/.
 */
#ifndef DTX_FRONT_H
#define DTX_FRONT_H

#include "compiler/comp.h"

/* ---- errors ------------------------------------------------------------------- */

/* NULL, so that `return ERR(...)` ends the check of a node. */
#define ERR(c, tag, at, ...)  check_failed(diag_error(&(c)->env->diags, tag, at, __VA_ARGS__))
static inline struct node *check_failed(struct diag *d)
{
	(void)d;
	return NULL;
}
#define TYPE_TEXT(c, t)  type_name((c)->env->arena, (t) ? (t) : &ty_void)

/* ---- node.c: nodes -------------------------------------------------------- */

struct node *node_new(struct comp *, enum node_kind, struct range);
struct node *node_copy(struct comp *, const struct node *);      /* deep, lists too */
u32 node_count(const struct node *list);
/* Calls fn for n and all nodes below, parents first; stops when fn returns false. */
bool node_walk(struct node *n, bool (*fn)(struct node *, void *), void *arg);
/* The same for a predicate, which may be NULL, and for each statement of a body: if fn returns
 * false, it goes on with the next one. */
void clause_walk(struct node *pred, struct node *body, bool (*fn)(struct node *, void *),
		 void *arg);

/* Calls fn for each node of a list, unlinked (no next); returns the list of the results. */
struct node *node_map(struct node *list, struct node *(*fn)(struct node *, void *), void *arg);

/* ---- ast.c ---------------------------------------------------------------- */

bool ast_is_agg(const struct node *expr);                         /* @a[keys] = … */
/* such an assignment as an N_AGG; NULL: reported why not */
struct node *ast_agg_stmt(struct comp *, struct node *assign);

/* ---- parse.c: text to AST -------------------------------------------------- */

/*
 * All programs in order.  Errors go to comp->env->diags; parsing recovers at the
 * end of a clause.  parse.h has what the lexer, the grammar and decl.c share.
 */
void front_open(struct comp *);                  /* makes comp->front */
void front_close(struct comp *);
bool parse_programs(struct comp *);
void parse_library(struct comp *, const struct source *);

/* ---- keyword.c ------------------------------------------------------------------ */

bool token_is_keyword(const char *text, u32 len);

/* ---- foreign.c, foreign_say.c: constructs of bpftrace ------------------------------ */

/* What to write instead of the construct at text + at; NULL: it is not one of bpftrace. */
/* A program of SystemTap: reports what it is in D; false: it is none.  foreign/stap.c */
bool foreign_stap(struct comp *, const struct source *);
const char *foreign_hint(struct arena *, const struct source *, u32 at);
/* The range of the statement around src->text + at. */
void foreign_around(const struct source *, u32 at, u32 *from, u32 *to);
/* The statement around text + at, written in D; NULL: nothing to change. */
const char *foreign_in_d(struct arena *, const struct source *, u32 at);
/* The whole text, written in D; NULL: nothing to change, or *why it cannot be said. */
const char *foreign_program(struct arena *, const struct source *, const char **why);
/* The next step after an error at src->text + at, and what to write: of the command line the whole
 * program, after which no other errors are told, of a script the statement. */
void foreign_tell(struct comp *, struct diag *, const struct source *, u32 at, const char *hint);

/* ---- foreign_name.c: names of other systems and tools (foreign.def) ------------------- */

enum foreign_names {
	FOREIGN_SYMBOL,
	FOREIGN_TYPE,
	FOREIGN_MEMBER,
	FOREIGN_HEADER,
	FOREIGN_FUNCTION,
	FOREIGN_MODULE,
	FOREIGN_CALL,
	FOREIGN_PROBE,
	FOREIGN_ABSENT,
	FOREIGN_BPFTRACE
};

/* What to write instead; NULL: no row of that kind has the name. */
const char *foreign_find(enum foreign_names, const char *name);
/* The error about a name that D or bpftrace has elsewhere; NULL: it is none of these. */
struct diag *foreign_refused(struct comp *, u32 tag, struct range, const char *name);
/* A sentence about a type, with or without its _t; about the first type in a text. */
const char *foreign_type(struct arena *, const char *name, u32 len);
const char *foreign_type_in(struct arena *, const char *text, u32 len);
/* Adds notes about the headers that a script includes. */
void foreign_headers(struct comp *, const struct source *, struct diag *);

/* ---- decl_prov.c: provider declarations ---------------------------------------- */

/* Gives the arguments of a USDT probe the types and names of a provider declaration: this
 * program's, or that of the probed one. */
void provdef_apply(struct comp *, struct dtx_probe *);

/* ---- scope.c: names ---------------------------------------------------------- */

/* Is it the name of a type?  Then no variable can have it. (decl.c) */
bool decl_is_type(struct comp *, enum sym_space, const char *name);
struct sym *scope_find(struct comp *, enum sym_space, const char *name);
/* The same, without searching the libraries of dtx. */
struct sym *scope_peek(struct comp *, enum sym_space, const char *name);
struct sym *scope_add(struct comp *, enum sym_space, enum sym_kind, const char *name, struct range);
/* A type by name: the program's own, then the type sources in order.  what as in type.h. */
struct type *scope_type(struct comp *, enum type_kind what, const char *name);
/* A complete type of the running kernel, whatever the program declares: for offsets in kernel
 * objects.  No debugging information is read for a type that this kernel does not have. */
/* A type of the kernel that a clause names without saying whose it is. */
struct kernel_tag {
	enum type_kind what;
	const char *name;
	struct type *type;
	struct range at;
	struct kernel_tag *next;
};

struct kernel_tag *scope_kernel_tags(struct comp *);         /* the last first */
/* The kernel's type if the name alone means it, else NULL. */
struct type *scope_kernel_tag(struct comp *, enum type_kind, const char *name);
struct type *scope_kernel_type(struct comp *, enum type_kind what, const char *name);
void scope_add_type(struct comp *, enum type_kind what, const char *name, struct type *);
bool scope_is_typename(struct comp *, const char *name);     /* for the lexer */
/* Kernel objects declared by the program (extern): their type, or NULL. */
void scope_add_extern(struct comp *, const char *name, struct type *);
struct type *scope_extern(struct comp *, const char *name);
/* Completes a forward struct, union or enum by name, if a source knows it. */
struct type *scope_complete(struct comp *, struct type *);

/* ---- near.c: did you mean ------------------------------------------------------- */

#define NEAR_MAX 3

/* The nearest of the given names, best first. */
struct near {
	const char *wanted;
	const char *name[NEAR_MAX];
	unsigned dist[NEAR_MAX];
	u32 n;
};

void near_offer(struct near *, const char *name);
/* Adds "did you mean …" as the next step, or `otherwise` if no name is near. */
void near_hint(struct comp *, struct diag *, const struct near *, const char *otherwise);
void near_syms(struct comp *, struct near *, enum sym_space);
void near_builtins(struct near *, bool funcs);
void near_members(struct near *, struct type *su);
void near_libs(struct comp *, struct near *);

/* True on the first call with `key`. */
bool scope_once(struct comp *, const char *key);

/* ---- width.c: widths of undeclared variables ------------------------------------------- */

/*
 * The integer type of an undeclared variable is the widest of all its assignments.  The first one
 * sets it; if a later one is wider, that is recorded and the program is compiled again.
 */
struct widths;

struct widths *width_open(struct arena *);
void width_close(struct widths *);
bool width_found(const struct widths *); /* was a wider assignment found in this attempt? */
bool width_again(struct widths *);               /* the same; begins the next attempt */
bool width_known(const struct widths *);         /* is this not the first attempt? */
/* The type of a variable whose first value is v (an integer). */
struct type *width_first(struct comp *, enum sym_space, const char *name, const struct node *v);
/* The variable is assigned v, too; something is added to it. */
void width_met(struct comp *, struct sym *, const struct node *v);
void width_added(struct comp *, struct sym *, const struct node *v);
/* A key of an array or aggregation: *have is its type before, or NULL, and then the one to use. */
void width_key_met(struct comp *, struct sym *, u32 nth, struct type **have, const struct node *k);

/*
 * An array that is read before it is assigned: the attempt goes on without the reader, and the next
 * one knows the types.  False: they could not be found.
 */
bool early_wanted(struct comp *, enum sym_space, const char *name);
/* The array gets its types by an assignment. */
void early_made(struct comp *, const struct sym *);
/* The array with the types of an attempt before; NULL: there is none. */
struct sym *early_known(struct comp *, enum sym_space, const char *name, struct range at);
/* All clauses are checked: what was wanted and not found is refused in the next attempt. */
void early_end(struct comp *);

/* ---- cpp.c: -C ------------------------------------------------------------------ */

/* The script after the C preprocessor; NULL after an error. */
const struct source *cpp_source(struct comp *, const struct source *);
bool cpp_defines(const struct comp *); /* was -D given? */
/* Blanks C constructs that D does not read, in the headers within preprocessed text. */
void cheader_blank(char *text, size_t len, const char *script);
/* Is this text from a header, not from the script? */
bool cheader_is(struct range at);

/* ---- stability.c: stability, versions, pragmas about names ------------------------ */

bool stability_check(struct comp *);             /* after check; img_desc.stability, amin */
bool stability_valid(const char *text);          /* NAME/DATA/CLASS */
bool stability_options(struct comp *);           /* are -x version and -x amin right? */
bool version_known(const char *text);
/* Keeps a pragma about a name, or a name of a provider, that may not be known yet. */
void pragma_keep(struct comp *, const char *name, const char *attr, const char *version,
		 bool provider, struct range);
void pragma_named(struct comp *, struct sym *);
void pragma_finish(struct comp *);               /* D_PRAGMA_UNUSED */

/* ---- lib.c: D libraries --------------------------------------------------------- */

extern const char lib_origin[];                  /* type->origin of the former's types */

bool lib_left_out(struct comp *);                /* by option nolibs */
bool lib_open(struct comp *);                    /* files of syslibdir, libdir, -L */
/* Parses the part of the library that declares the name; false: nothing was added. */
bool lib_name(struct comp *, const char *name);
bool lib_type(struct comp *, enum type_kind what, const char *name);
bool lib_has_provider(struct comp *, const char *name);
bool lib_has_module(struct comp *, const char *name);

/* ---- param.c: options that programs declare ---------------------------------------- */

/* The head comment of a script and the options, as text that dtx_script_text() reads. */
const char *param_script(struct comp *);

/* ---- tables -------------------------------------------------------------------- */

enum builtin_kind { BK_VAR, BK_FUNC, BK_ACT };

/* How a built-in is compiled. */
enum builtin_lower {
	BL_CALL,         /* function dtx_NAME of the BPF library (emit_call.c has the convention) */
	BL_EMIT,         /* a function of the code generator */
	BL_TEXT,         /* the same, of a string */
	BL_RECORD,       /* appends fields to the record; the consumer acts */
	BL_CONSUMER,     /* only the consumer acts (clear, normalize …): a record without data */
	BL_ALIAS,        /* another spelling: `same` */
	BL_REWRITE,      /* becomes another node in the checker */
};

struct builtin {
	const char *name;
	enum builtin_kind kind;
	const char *sig;         /* D text: "int", "string (string, string)", see builtins.def */
	enum builtin_lower lower;
	const struct builtin *same;      /* BL_ALIAS: the other row */
	u32 flags;               /* BF_* */
	const char *doc, *example, *output;
};

#define BF_DESTRUCTIVE  1        /* needs -w */
#define BF_NODATA       2        /* recording action that prints no line by itself */
#define BF_USER         4        /* depends on the current process */
#define BF_LINUX        8        /* a Linux name: a declared variable or named argument overrides
				  * it */
#define BF_SCRATCH      16       /* gives an address of scratch memory */
#define BF_REGS         32       /* reads the registers of the place: NEED_REGS */
#define BF_KSTACK       64       /* walks the kernel's stack: NEED_KSTACK */
#define BF_USTACK       128      /* walks the program's */
#define BF_TIME         256      /* reads the time of the record */
#define BF_WORK         512      /* needs the work areas for strings, whatever its type */
#define BF_NS           1024     /* a number of nanoseconds */
#define BF_PROBE        2048     /* a text of the probe that fired */
#define BF_FIRST        4096     /* keeps objects: needs the map of firsts */
#define BF_SIGNAL       8192     /* shows that it was called, if the clause records nothing */
#define BF_PC           16384    /* reads any register of the program: NEED_PC */
#define BF_UWALK        32768    /* walks the program's stack, or may have to: NEED_USTACK */
#define BF_FRESH        65536    /* each evaluation gives another value, or moves on */

const struct builtin *builtin_find(const char *name);        /* aliases followed */
const struct builtin *builtin_exact(const char *name);
extern const struct builtin builtins[];
extern const u32 nbuiltins;

const struct agg_func *agg_find(const char *name);           /* aliases followed */

/* ---- typetext.c: types from D text ----------------------------------------------- */

/* "struct task_struct *", "unsigned long", "char [16]".  NULL: not a known type. */
struct type *type_parse(struct comp *, const char *text);

/* ---- type.c: the rules of types ----------------------------------------------------- */

bool type_is_int(const struct type *);  /* integers and enums, through typedefs, of up to 64 bits */
bool type_is_wide(const struct type *); /* a wider integer, which D does not compute with */
bool type_is_scalar(const struct type *);        /* integers, enums, pointers */
bool type_is_ptr(const struct type *);
bool type_is_string(const struct type *);        /* T_STRING */
bool type_is_strcompat(const struct type *);     /* string, char *, char [] */
bool type_is_struct(const struct type *);        /* struct or union */
bool type_signed(const struct type *);
/* is in user memory: by its declaration, or as a type of the traced program */
bool type_in_user(const struct type *);
u64 type_size(struct comp *, const struct type *);           /* bytes; strings strsize */
u64 type_sizeof(struct comp *, const struct type *);         /* the value of sizeof: strings
							      * strsize */
u32 type_align(const struct type *);
bool type_compat(struct comp *, struct type *, struct type *);    /* the same type after resolving
								   * typedefs */
bool type_assignable(struct comp *, struct type *to, struct type *from, const struct node *value);
/* DTrace guide "Types, Operators, and Expressions" */
struct type *type_promote(struct comp *, struct type *, struct type *);
bool type_is_array(const struct type *);
bool type_is_void(const struct type *);
bool type_is_dyn(const struct type *);
bool type_is_func(const struct type *);
bool type_is_chars(const struct type *);         /* char [] of any signedness */
struct type *type_target(const struct type *);   /* of a pointer or array, else NULL */
bool type_ptr_compat(struct comp *, const struct node *, const struct node *);
struct type *type_copy(struct comp *, const struct type *);

/* ---- exprtext.c: D text of an expression ------------------------------------------- */

const char *op_text(int op);                     /* "+", "<<" … */

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parse.h - private to the parser: grammar/dtx.l, grammar/dtx.y, lex/, parse.c, pragma.c, attr.c,
 * ast.c, decl.c and decl_su.c.
 *
 * The grammar uses no types and no tables: each of its actions calls one constructor
 * declared here.  The lexer has two modes (outer: between clauses; expression: inside a
 * predicate, body or declaration).  It tracks brackets and so finds the end of an external
 * declaration by itself; error recovery continues from there.
 */
#ifndef DTX_PARSE_H
#define DTX_PARSE_H

#include "compiler/front/front.h"

struct lexer;
struct libs;
struct pragma_ident;

enum lib_kind { LIB_NONE, LIB_OWN, LIB_FILE };   /* LIB_OWN: part of dtx, LIB_FILE: a file of -L */

/* Data shared by the files of front/. */
struct front {
	struct kernel_tag *kernel_tags;      /* the last first */
	struct map *types[4]; /* scope.c: types of the program, by name (struct union enum
			       * typedef) */
	struct map *names[4];        /* scope.c: symbols by space */
	struct libs *libs;           /* lib.c */
	struct pragma_ident *pragmas;        /* stability.c */
	struct dtx_param *params;    /* param.c: options that the programs declare, with their */
	u32 nparams;                 /* values, as given or by default */
	enum lib_kind in_lib;        /* what is parsed now */
	struct clause *lib_clause;   /* the last clause of a library's text */
};

void lib_close(struct front *);

/* A list under construction: appending takes constant time. */
struct nodes {
	struct node *first, *last;
};

struct pdescs {
	struct pdesc *first, **last;
};

/* ---- the lexer: characters to tokens -------------------------------------------- */

#define LEX_LEVELS   1000        /* most open brackets */
#define LEX_BAD      8           /* stray bytes after which a text is given up */

/* The external declaration being read. */
enum construct { IN_NOTHING, IN_CLAUSE, IN_DECL, IN_INLINE, IN_XLATE, IN_PROVDEF };

/* An open bracket, and the state outside it. */
struct level {
	char open;
	bool spec_seen, is_enum, is_offsetof;
	u32 at;
};

/* Where an __attribute__ is, and the number of brackets around it. */
struct attr_at {
	u32 from, depth;
};

struct lexer {
	struct comp *comp;
	struct dtx_program *prog;
	const struct source *src;
	void *scanner;           /* flex */
	u32 from, to;            /* current token, bytes */
	u32 told;                /* end of the statement whose form in D was told */
	u32 comment_at;          /* start of the comment being skipped */
	enum construct what;
	bool outer;              /* mode: outer or expression */
	bool pred;               /* in a predicate */
	bool in_expr;            /* names are expressions unless in a cast (see token.c) */
	bool spec_seen;          /* the declaration has its type: the next name is not one */
	bool is_enum;            /* in the braces of an enum */
	bool ended;              /* the current token ended its external declaration */
	bool recover;            /* after a syntax error: skip to such a token */
	bool quiet;              /* a quote is missing: report no errors after it */
	bool stop;               /* give up: the rest of the text is ignored */
	bool too_deep;           /* was reported */
	bool last_arg_used;      /* the last macro argument was referenced */
	int prev, prev2;         /* tokens before the current one */
	VEC(struct level) levels;
	struct level passed;     /* the innermost that the last closing bracket left open, or 0 */
	bool unmatched;          /* the last closing bracket closed none */
	VEC(struct attr_at) attrs;       /* of the declaration being read */
	u32 attr_depth;          /* open parentheses of the attribute being skipped */
	u32 pack; /* #pragma pack: largest alignment of a member, bytes; 0: that of its type */
	VEC(u32) packs;          /* the pushed values */
	u32 nbad;
	u32 nexternals;
};

union DTX_YYSTYPE;

/* ---- place.c: where it is ---- */

struct range lex_range(const struct lexer *);
struct diag *lex_error(struct lexer *, u32, const char *fmt, ...) PRINTF_LIKE(3, 4);
void lex_hint(struct lexer *, struct diag *, const char *text); /* the diagnostic may be NULL */
void parse_too_deep(struct lexer *, struct range at);

/* ---- keyword.c: the words of D ---- */

enum {
	KW_OUTSIDE = 1,          /* also where probe descriptions stand */
	KW_TYPE = 2,             /* part of a type */
	KW_NOT_C = 4,            /* a name in C headers */
};

struct keyword {
	const char *word;
	int token;
	u32 flags;               /* KW_* */
};

const struct keyword *keyword_find(const char *text, u32 len);       /* NULL: it is none */
bool lex_is_typeword(const char *text, u32 len);      /* a keyword: int, struct … */

/* ---- token.c: the meaning of a token ---- */

int lex_word(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len);
u32 lex_scoped(struct lexer *, const char *text, u32 len);
int lex_spec(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len, u32 *used);
int lex_open(struct lexer *, char);
int lex_close(struct lexer *, char);
int lex_punct(struct lexer *, int);              /* tokens that the modes depend on */
int lex_slash(struct lexer *);
bool lex_text_follows(struct lexer *);   /* a string, or the name of one */
bool lex_slash_slash(struct lexer *, const char *text, u32 len);     /* closes a predicate? */
void lex_stray(struct lexer *, const char *text, u32 len);
int lex_is_comment(struct lexer *);
/* Tells who wants the tokens of the text (compile_opts.token) of one: kind.c. */
void lex_tell(struct lexer *, int token);
void lex_tell_comment(struct lexer *, u32 from);
void lex_tell_control(struct lexer *, u32 from);         /* a line that begins with # */
/* One token in the current mode; grammar/dtx.l. */
int lex_raw(union DTX_YYSTYPE *, void *scanner);

/* ---- literal.c: constants and macro variables ------------------------------------- */

int lex_int(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len);
int lex_float(struct lexer *, union DTX_YYSTYPE *);
int lex_string(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len, bool closed);
int lex_char(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len, bool closed);
int lex_macro(struct lexer *, union DTX_YYSTYPE *, const char *text, u32 len);
/* Is the value of this macro variable a string? */
bool lex_macro_is_text(struct lexer *, const char *text, u32 len);
/* Never the name of a type: BEGIN, or it has a ':' or the like. */
bool lex_spec_for_sure(const char *text, u32 len);
/* Text of a probe description with its macros replaced; NULL after an error. */
const char *lex_spec_macros(struct lexer *, const char *text, u32 len);

/* ---- param.c: options that programs declare ---------------------------------------------- */

/* #pragma D param, the words after it. */
void param_declare(struct lexer *, const char *const *words, u32 n);
/* NULL: no option of that name is declared; *used is the length of the name in `text`. */
const struct dtx_param *param_find(struct comp *, const char *text, u32 len, u32 *used);
const char *param_value(struct comp *, const struct dtx_param *);    /* as text */
void param_finish(struct comp *);                /* were options given that nothing declares? */

/* ---- pragma.c: control lines --------------------------------------------------------- */

void control_line(struct lexer *, const char *text, u32 len);

/* ---- parse.c --------------------------------------------------------------------------- */

/* Called by the generated parser. */
void parse_syntax_error(struct lexer *, struct range at, const char *const *expected, int n);

struct pdescs pdesc_one(struct lexer *, const char *text, struct range at);
struct pdescs pdesc_join(struct pdescs, struct pdescs);
void clause_add(struct lexer *, struct pdescs, struct node *pred, const struct nodes *body,
		struct range at);
void clause_bare(struct lexer *, struct pdescs, struct range at);
void clause_no_body(struct lexer *, struct range pred);
void toplevel_add(struct comp *, enum toplevel_kind, void *what);
/* Parses a single clause that is never enabled; NULL after an error. */
struct clause *parse_clause(struct comp *, const char *source, const char *text);

/* ---- unexpected.c: a next step for syntax errors -------------------------------------------- */

/* NULL: none.  `expected`: the n tokens that could stand here. */
const char *unexpected_hint(struct lexer *, struct range at, const char *const *expected, int n);
const char *unexpected_old_type(struct lexer *, struct range at);   /* of another system */
/* "int n = 0;" outside of clauses. */
bool unexpected_value(const struct lexer *, const char *const *expected, int n);

/* ---- ast.c: constructors ------------------------------------------------------------------ */

struct node *ast_ident(struct lexer *, const char *name, int scope, struct range at);
struct node *ast_unary(struct lexer *, int op, struct node *a, struct range at, struct range op_at);
struct node *ast_incdec(struct lexer *, int op, bool prefix, struct node *a, struct range at,
			struct range op_at);
struct node *ast_binary(struct lexer *, int op, struct node *a, struct node *b,
			struct range op_at);
struct node *ast_assign(struct lexer *, int op, struct node *a, struct node *b,
			struct range op_at);
struct node *ast_comma(struct lexer *, struct node *a, struct node *b, struct range op_at);
struct node *ast_cond(struct lexer *, struct node *a, struct node *b, struct node *c,
		      struct range op_at);
struct node *ast_cast(struct lexer *, struct type *, struct node *a, struct range at);
struct node *ast_sizeof(struct lexer *, struct type *, struct node *a, struct range at);
/* place: a member, or one of its members and elements: "a.b[2].c". */
struct node *ast_offsetof(struct lexer *, struct type *, const char *place, struct range at,
			  struct range op_at);
const char *ast_place_member(struct lexer *, const char *place, const char *name);
const char *ast_place_element(struct lexer *, const char *place, struct node *index);
/* __has_member(T, m): 1 or 0, for differences between kernels. */
struct node *ast_has_member(struct lexer *, struct type *, const char *member, struct range at);
struct node *ast_stringof(struct lexer *, struct node *a, struct range at);
struct node *ast_xlate(struct lexer *, struct type *, struct node *a, struct range at);
struct node *ast_call(struct lexer *, struct node *callee, struct nodes args, struct range at);
struct node *ast_index(struct lexer *, struct node *a, struct nodes list, struct range at,
		       struct range op_at);
struct node *ast_member(struct lexer *, int op, struct node *a, const char *name,
			struct range at, struct range op_at);
struct node *ast_agg(struct lexer *, const char *name, struct range at);
struct node *ast_paren(struct node *, struct range at);
struct node *ast_stmt(struct lexer *, struct node *expr);
/* for (init; cond; step) body: each of the three may be NULL. */
struct node *ast_loop(struct lexer *, struct node *init, struct node *cond, struct node *step,
		      struct nodes body, struct range at);
struct node *ast_jump(struct lexer *, int what, struct range at);
struct node *ast_if(struct lexer *, struct node *cond, struct nodes yes, struct nodes no,
		    struct range at);
struct nodes ast_one(struct node *);
struct nodes ast_append(struct nodes, struct node *);

/* ---- decl.c, decl_var.c: declarations -------------------------------------------------------- */

/* Basic type words, as bits. */
enum {
	B_VOID = 1, B_CHAR = 2, B_SHORT = 4, B_INT = 8, B_LONG = 16, B_LLONG = 32, B_FLOAT = 64,
	B_DOUBLE = 128, B_SIGNED = 256, B_UNSIGNED = 512, B_STRING = 1024, B_BOOL = 2048,
	B_INT128 = 4096,
};

/* Declaration specifiers seen so far. */
struct declspec {
	struct type *type;       /* named, tagged or defined here; else NULL */
	u32 basic;               /* B_* */
	int storage;             /* its token, 0: none */
	struct range at;
	bool defines;            /* has struct, union or enum: valid without a name */
	bool bad;                /* already reported */
	bool userland;           /* pointers to it are user addresses */
};

struct param {
	const char *name;        /* NULL: none */
	struct type *type;
	struct range at;
	struct param *next;
};

struct params {
	struct param *first, *last;
	u32 n;
	bool variadic;
	bool repeats;            /* a name may stand in it twice (mapped arguments of a probe) */
};

/* A declarator read from the name outwards: "array of", "pointer to" … */
enum deriv_kind { DV_PTR, DV_ARRAY, DV_ASSOC, DV_FUNC };

struct deriv {
	enum deriv_kind kind;
	struct node *count;      /* DV_ARRAY; NULL: [] */
	struct params params;    /* DV_ASSOC, DV_FUNC */
	bool is_param;           /* part of a parameter's type */
	struct range at;
	struct deriv *next;
};

#define DECL_DERIVS  64          /* pointers, arrays and functions in one declarator */

/* The layout that attributes demand. */
struct attrs {
	bool packed;
	u32 align;               /* bytes, 0: not given */
	u32 vector, mode;        /* bytes of a vector; bytes of the integer (mode); 0: not given */
};

struct declr {
	const char *name;        /* NULL: abstract, or an unnamed bit-field */
	struct range at;
	struct deriv *first, *last;
	u32 nderivs;
	bool has_bits;
	struct node *bits;       /* width of a bit-field */
	struct attrs attrs;      /* made by attr_take() */
	struct declr *next;
};

struct declrs {
	struct declr *first, *last;
};

/* array-params of a declarator: a size, key types, or nothing. */
struct dims {
	struct node *count;
	struct params params;
	bool is_assoc;
};

struct declspec *spec_basic(struct lexer *, struct declspec *, u32 bit, struct range at);
struct declspec *spec_storage(struct lexer *, struct declspec *, int token, struct range at);
struct declspec *spec_type(struct lexer *, struct declspec *, struct type *, bool defines,
			   struct range at);
struct declspec *spec_qualifier(struct lexer *, struct declspec *, struct range at);
struct declspec *spec_userland(struct lexer *, struct declspec *, struct range at);
struct type *spec_result(struct lexer *, struct declspec *);

struct declr *declr_new(struct lexer *, const char *name, struct range at);
struct declr *declr_ptr(struct lexer *, struct declr *, u32 levels, struct range at);
struct declr *declr_array(struct lexer *, struct declr *, struct dims, struct range at);
struct declr *declr_func(struct lexer *, struct declr *, struct params, struct range at);
struct declr *declr_bits(struct declr *, struct node *width);
struct declrs declrs_append(struct declrs, struct declr *);
struct type *declr_type(struct lexer *, struct declr *, struct type *base);

struct params params_one(struct lexer *, struct declspec *, struct declr *, struct range at);
struct params params_join(struct params, struct params);
struct params params_variadic(struct params);
/* The parameters as a list of members; (void) has none. */
struct type_member *params_members(struct lexer *, const struct params *, u32 *n);

struct type *decl_type_name(struct lexer *, struct declspec *, struct declr *);
struct type *decl_named(struct lexer *, const char *name, struct range at);
void decl_declare(struct lexer *, struct declspec *, struct declrs, struct range at);
void decl_inline(struct lexer *, struct declspec *, struct declr *, struct node *expr,
		 struct range at);
/* Value of an integer constant expression (1 if an error in it was reported); false: not a
 * constant, nothing was reported. */
static inline struct diags *diags_of(struct lexer *lx)
{
	return &lx->comp->env->diags;
}

/* Reports an error in the specifiers; only the first one. */
void spec_error(struct lexer *, struct declspec *, u32, struct range, const char *text);
bool decl_const(struct lexer *, const struct node *, s64 *value);
/* Is the name free in the space for a new declaration?  Reports if not. */
bool decl_name_free(struct lexer *, enum sym_space, const char *name, struct range at);
/* Reports D_DECL_VOIDOBJ, D_DECL_INCOMPLETE … if objects of the type cannot exist. */
bool decl_object_type(struct lexer *, struct type **, const char *name, struct range at);

/* ---- attr.c: attributes, #pragma pack -------------------------------------------------------- */

/* The attributes that follow the token which ends at `at`. */
void attr_behind(struct lexer *, u32 at, struct attrs *);
void attr_seen(struct lexer *);                  /* the lexer is at one */
/* Gives the declarators of a declaration, in `depth` brackets, their attributes; returns the
 * attributes before all of them. */
struct attrs attr_take(struct lexer *, u32 depth, struct declrs);
/* The type changed by vector_size and mode. */
struct type *attr_type(struct lexer *, const struct attrs *, struct type *);
void attr_pack(struct lexer *, const char *text);        /* text: after the word pack */

/* ---- decl_prov.c: translators and providers -------------------------------------------------- */

struct translator *translator_begin(struct lexer *, struct type *out, struct type *in,
			       const char *param, struct range at);
struct translator *translator_member(struct lexer *, struct translator *, const char *name,
				struct node *expr, struct range at);
void translator_end(struct lexer *, struct translator *);
struct provdef *provdef_begin(struct lexer *, const char *name, struct range at);
struct provdef *provdef_probe(struct lexer *, struct provdef *, struct provdef_probe *);
struct provdef_probe *provdef_proto(struct lexer *, const char *name, struct params native,
				    const struct params *mapped, struct range at);
void provdef_end(struct lexer *, struct provdef *);

/* ---- decl_su.c: struct, union, enum ---------------------------------------------------------- */

struct su;                       /* a struct or union being defined */

/* word: struct or union, at: the tag or the same; end: the closing brace. */
struct su *su_begin(struct lexer *, int token, struct range word, const char *tag, struct range at);
struct su *su_member(struct lexer *, struct su *, struct declspec *, struct declrs);
struct type *su_end(struct lexer *, struct su *, struct range end);
/* A type that was found by its name alone: which one is meant is asked when probes are known. */
void su_note_kernel(struct lexer *, enum type_kind, const char *name, struct type *, struct range);
struct type *su_tag(struct lexer *, int token, const char *tag, struct range at);

struct type *enum_begin(struct lexer *, const char *tag, struct range at);
struct type *enum_item(struct lexer *, struct type *, const char *name, struct node *value,
		       struct range at);
struct type *enum_end(struct lexer *, struct type *, struct range end);

#endif

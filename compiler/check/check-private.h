/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check-private.h - shared by the files of compiler/check/.
 *
 * Expressions have expressions: check_expr() calls the function of a kind, which calls
 * check_expr().  What does not need that (made.c, named.c, args.c, check_hint.c, sig.c, fold.c …)
 * calls none of those files.
 */
#ifndef DTX_CHECK_PRIVATE_H
#define DTX_CHECK_PRIVATE_H

#include "compiler/check/check.h"

enum arg_scope {
	ARGS_PROMISED,   /* those of the probe */
	ARGS_OF_PLACE,   /* in D text of stable.def: those of the base probe */
};

/* What is being checked. */
struct check {
	struct inst *inst;           /* NULL: a declaration */
	u32 replaced;                /* nodes made by inlines and translators in it */
	const struct node *expanded; /* the inline that the program names there, while it is
				      * expanded */
	u32 level;                   /* of check_expr() */
	u32 loops;                   /* loops around the statement */
	struct map *idle;            /* "space name" of names made by clauses without probes; NULL:
				      * none */
	bool idle_params;            /* in such a clause: unknown names may be parameters */
	const struct node *beside_text;      /* the operand compared with a string, as written */
	struct node *cond_assign;    /* the assignment in the place of a condition */
	enum arg_scope args;         /* the arguments that names and indices refer to */
};

/* ---- fold.c -------------------------------------------------------------------------- */

void fold_warn_shift(struct comp *, const struct node *);        /* by a constant out of 0 … 63 */
bool fold_fits(struct comp *, struct type *, s64);       /* into the integer, signed or unsigned */
/* Is it a constant of the program that loses bits as an argument of this type? */
bool fold_loses(struct comp *, const struct node *, struct type *);
/* What is kept of a constant is of the type: warns if that is its own, and does not hold it, as of
 * 60 * 1000000000. */
void fold_warn_kept(struct comp *, const struct node *, struct type *);
struct node *fold_again(struct comp *, struct node *);   /* one node, operands done */

/* An inline of the library that is called like a function, NAME(…), has this before its name. */
#define LIBRARY_CALL "__call_"

/* ---- sig.c: signatures of builtins.def and aggs.def ---------------------------------- */

enum param_kind {
	PARAM_TYPE,      /* a D type */
	PARAM_SCALAR, PARAM_POINTER, PARAM_MEMORY, PARAM_STRING, PARAM_ANY, PARAM_AGG, PARAM_FORMAT,
	PARAM_CONST, PARAM_STRLIT,
};

struct sigparam {
	enum param_kind kind;
	const char *text;        /* as in the signature */
	struct type *type;       /* PARAM_TYPE; NULL when the kernel does not have it */
	bool optional;
};

struct sig {
	struct type *result;
	struct sigparam params[8];
	u32 nparams, nrequired;
	bool variadic;
};

const struct sig *sig_parse(struct comp *, const char *text);
bool sig_length_ok(struct comp *, const struct sig *, const char *what, struct range at,
		   const struct node *list);
/* Checks the number and types of arguments (typed nodes).  Converts to strings where needed. */
bool sig_check(struct comp *, const struct sig *, const char *what, struct range at,
	       struct node **list);

/* ---- made.c: nodes ---------------------------------------------------------------------- */

struct node *check_make(struct comp *, enum node_kind, const struct node *at, struct type *);
struct node *check_int(struct comp *, const struct node *at, s64 value, struct type *);
struct node *check_cast(struct comp *, struct node *, struct type *);  /* inserted cast */
/* Warns of a constant that a declared variable or inline of the type cannot hold, signed or
 * unsigned. */
void check_warn_range(struct comp *, const struct sym *, struct type *, struct range at, s64 x);
struct node *check_to_string(struct comp *, struct node *);  /* string-compatible to string */
struct node *check_text_at(struct comp *, struct node *);    /* the same, NULL too */
struct node *check_null_text(struct node *);    /* stringof(NULL) as NULL */
struct node *check_decayed(struct comp *, struct node *);    /* a function to its address */
bool check_is_null(const struct node *);         /* literal 0 */
bool check_is_action(const struct node *);       /* call of something that only acts */
bool check_is_own(const struct node *);  /* a variable or an argument: it has no address */
/* the typed a, b; a may be NULL */
struct node *check_then(struct comp *, struct node *a, struct node *b);
struct node *check_create(struct comp *, struct node *, struct type *);
struct node *check_sym_node(struct comp *, const struct node *, struct sym *);
/* The type of a typed operand in arithmetic: int for a narrow bit-field. */
struct type *check_promoted_type(const struct node *);
struct node *check_promoted(struct comp *, struct node *);   /* the operand converted to that
							      * type */
/* Of a translated variable that is used as a condition: what it holds. */
struct node *check_tested(struct node *);
/* Is it xlate <T *>(e)?  Dereferenced, it is xlate <T>(e). */
bool xlate_is_pointer(const struct node *);
/* An object made of the n bytes at an address. */
struct node *check_bytes(struct comp *, struct node *addr, u32 n);

/* ---- named.c: what is known of a name ------------------------------------------------------- */

/* Is n a name in self-> or this->?  Returns the space and the name. */
bool check_scoped(const struct node *n, enum sym_space *, const char **name);
const char *check_prefix(enum sym_space);        /* "self->", "this->", "@" */
/* Is this identifier, self-> or this-> member unknown?  Then it can be created. */
bool check_is_new(struct comp *, const struct node *);
/* Names become known in textual order.  Is the symbol defined after the node that uses it?  That is
 * an error. */
bool check_is_later(const struct sym *, const struct node *);
struct node *check_later(struct comp *, struct node *, const struct sym *);      /* reports it;
										  * returns NULL */
/* An assigned name is known from here on, even if it is declared later. */
void check_met(struct comp *, const struct node *);
bool check_is_jiffies(const struct node *);      /* `jiffies without an address */
bool check_is_args(struct comp *, const struct node *);      /* is it the args of args.NAME? */
/* The type of the current value of a variable: a pointer to scratch memory is not a user pointer,
 * even if it is declared as one. */
struct type *check_var_type(struct comp *, const struct sym *);
bool check_named_jiffies(const char *module, const char *name);
bool check_is_free(const struct sym *);          /* may a program define it anew? */

/*
 * Does the name come from a clause without probes (-Z)?  Then what depends on it is left
 * out without a message, because it may depend on the arguments of those probes.
 */
bool check_idle_name(struct comp *, enum sym_space, const char *name);
/* Further errors about the name would only repeat the first. */
void check_idle_add(struct comp *, enum sym_space, const char *name);

/* ---- check_expr.c -------------------------------------------------------------------- */

struct node *check_list(struct comp *, struct node *list, bool *ok);   /* every item */
/* Can it be used as a value?  It must not be an action, dynamic or void. */
bool check_value(struct comp *, const struct node *);

/* ---- check_name.c ---------------------------------------------------------------------- */

struct node *check_ident(struct comp *, struct node *);
/* The same for the name in NAME[…]: index is the whole expression, as written. */
struct node *check_indexed(struct comp *, struct node *, const struct node *index);
struct node *check_index(struct comp *, struct node *);
struct node *check_member(struct comp *, struct node *);
struct node *check_keys(struct comp *, struct sym *, struct node *n, struct node *keys);
/* Address of a kernel symbol of any type. */
struct node *check_ksym_addr(struct comp *, struct node *, const char *module, const char *name);
/* The same for a per-CPU variable; cpu: not checked yet, NULL: the current CPU. */
struct node *check_percpu_addr(struct comp *, struct node *, const char *name, struct node *cpu);

/* ---- check_unknown.c: both report what to write instead, and return NULL ------------------- */

/* index: the whole expression NAME[…], or NULL. */
/* Why a probe of a program has no arguments with names and types: a note.  Does it say what
 * arg0 ... arg9 are? */
bool check_say_untyped(struct comp *, const struct dtx_probe *, struct diag *);
struct node *check_unknown(struct comp *, struct node *, const struct node *index);
struct node *check_unset(struct comp *, struct node *, enum sym_space, const struct node *index);

/* ---- memory.c: typed expressions ------------------------------------------------------------ */

struct node *xlate_variable(struct comp *, struct node *, struct sym *);   /* translated */
bool memory_has_types(const struct comp *);      /* are the types of the kernel known? */
/* The memory of an object, and of the object that an address points to. */
enum memory memory_lies(struct comp *, const struct node *);
/* POINTS_*: does a pointer point to memory of alloca() or copyin(), as far as is known? */
u8 memory_points(const struct node *);
/* the memory of a struct, or the memory a pointer points to */
enum memory memory_of_arg(const struct dtx_arg *);
void memory_insts(struct comp *);                            /* writes the memory into all typed
							      * nodes */

/* walk.c: the type of the member that the verifier takes for what a load of `size` bytes at `off`
 * reads; NULL: it refuses the load. */
struct type *walk_finds(struct comp *, struct type *su, u64 off, u32 size);

/* ---- args.c: what is known of the arguments of the probes here ------------------------------ */

/* The arguments that names and indices refer to now. */
struct args {
	struct dtx_arg *v;
	u32 n, first;            /* first: index in the probe's list */
	bool untyped;
};

struct args check_args_of(const struct comp *, const struct dtx_probe *);
/* Index of an argument by its name, -1: none. */
int check_arg_index(const struct comp *, struct dtx_probe *, const char *name);
struct type *check_arg_type(struct comp *, struct dtx_arg *);

bool check_args_known(struct comp *);            /* gets them from the providers; false after an
						  * error */
/* The argument of that name that every probe here has: its index, -1: none. */
int check_arg_find(struct comp *, const char *name);
/* Has a probe of the description an argument of that name? */
bool check_arg_known(struct comp *, const char *name);
struct type *check_arg_names(struct comp *, u32 index);      /* T_ENUM, or NULL */
/* An argument of a system call whose type is known, in that probe; else NULL.  To look is no use of
 * it. */
const struct dtx_arg *check_arg_of_call(struct comp *, u32 probe, u32 index);
const struct dtx_arg *check_arg_look(struct comp *, u32 probe, u32 index);
void near_args(struct comp *, struct near *);

u32 arg_nprobes(const struct comp *);
/* The arguments of the first probe; none if there is no probe, or more than `most`. */
struct args args_here(const struct comp *, u32 most);
const char *arg_probe_text(struct comp *, const struct dtx_probe *);
/* Asks the providers.  It is no use of the arguments. */
bool args_ask(struct comp *, enum args_state want);
/* Of one probe; below 0: they cannot be determined. */
int args_ask_one(struct comp *, struct dtx_probe *, enum args_state want);
bool arg_typed(const struct comp *, const struct dtx_probe *);       /* have they types? */
/* Does one of the probes here have an argument of that name? */
bool arg_somewhere(struct comp *, const char *name);
const char *near_arg_list(struct comp *);        /* what the probe has, for a hint */

/* ---- check_arg.c ----------------------------------------------------------------------- */

struct node *check_args_index(struct comp *, struct node *, struct node *index);
struct node *check_args_name(struct comp *, struct node *, const char *name, struct range at);
/* check_twin.c: no type of the kernel stands for one of a traced program. */
bool check_twins(struct comp *);

#define PATTERN_MAX  63          /* characters of a pattern: one bit of the state each, and one for
				  * the end */

/* ---- check_divide.c: dividing an instance -------------------------------------------------- */

/* Keeps the probes whose named arguments are those of the first probe; moves the others to a new
 * instance. */
void check_arg_split(struct comp *, struct inst *);
/* The same after checking: keeps the probes whose used arguments lie in the same memory. */
void check_arg_divide(struct comp *, struct inst *);

/* ---- check_hint.c: hints about what was meant ------------------------------------------------ */

/* A hint for an operand that is not a number: an aggregation, or a type that D does not compute
 * with. */
void check_operand_hint(struct comp *, struct diag *, const struct node *n);
/* A hint for a number or pointer whose type should be `to`: the cast. */
void check_cast_hint(struct comp *, struct diag *, const struct node *n, const struct type *to);
/* A hint for a number n that is followed as a pointer. */
void check_deref_hint(struct comp *, struct diag *, const struct node *n);
/* Is n the value of a macro argument ($1)? */
bool check_is_operand(const struct node *n);
/* Is n the text of $1 where a number is needed?  If so, reports it and returns true. */
bool check_operand_bad(struct comp *, u32, const struct node *n);
/* A hint for a number or a name beside a string. */
void check_text_hint(struct comp *, struct diag *, const struct node *n);
/* Warns of 'abc' where a string is likely meant. */
void check_quoted_note(struct comp *, const struct node *n);
/* Warns of a comparison with a text that is longer than the other side can be. */
void check_text_length(struct comp *, const struct node *n);
bool check_number_hint(struct comp *, struct diag *, const struct node *);   /* "1" for 1 */
/* Adds a note that a pointer to characters is recorded as an address. */
void check_address_note(struct comp *, const struct node *n);
/* A note for copyinstr(arg0) if arg0 is a number in one of the probes, where another argument is
 * the string. */
void check_copyinstr_note(struct comp *, const struct node *call);
void check_mask_note(struct comp *, const struct node *mask);
/* Before a condition is checked: finds = written for ==; false after an error. */
bool check_cond_assigns(struct comp *, struct node *n);

/* ---- check_op.c ------------------------------------------------------------------------ */

struct node *check_unary(struct comp *, struct node *);
struct node *check_incdec(struct comp *, struct node *);
struct node *check_binary(struct comp *, struct node *);
struct node *check_assign(struct comp *, struct node *);
struct node *check_order(struct comp *, struct node *);      /* check_order.c: a typed assignment */
struct node *check_conditional(struct comp *, struct node *);
struct node *check_comma(struct comp *, struct node *);
struct node *check_explicit_cast(struct comp *, struct node *);
struct node *check_sizeof(struct comp *, struct node *);
struct node *check_offsetof(struct comp *, struct node *);
struct node *check_stringof(struct comp *, struct node *);

/* ---- check_call.c ------------------------------------------------------------------------ */

/* Destructive actions: are they possible on Linux, and allowed by -w? */
bool check_permitted(struct comp *, const struct node *);

/* ---- check_port.c: names of bpftrace, rewritten in D -------------------------------------- */

/* n: a call, or the name, of a BL_REWRITE row. */
struct node *port_rewrite(struct comp *, struct node *n, const struct builtin *);
/* NAME(...) where NAME is a built-in variable; NULL without an error: it cannot be called. */
struct node *port_variable(struct comp *, struct node *);

/* ---- check_fmt.c: formats ------------------------------------------------------------------ */

/*
 * Parses n's text into act->convs and checks `*args` (typed; run-time values in the
 * order they are consumed) against it.  aggs: 0, or how many aggregations (printa).
 */
bool check_format(struct comp *, const char *what, struct node *fmt, struct node **args,
		  struct sym *agg, struct img_action *);
bool check_is_format(const struct node *);

/* ---- check_agg.c ----------------------------------------------------------------------------- */

struct sym *check_aggref(struct comp *, const struct node *, u32 unknown);
const char *check_aggname(const struct node *);  /* NULL: n is not a plain @name */

/* ---- once.c: what inlines and translators are given ------------------------------------------ */

struct node *once_given(struct comp *, const struct node *given, const char *name, struct type *,
			struct node *expr, struct node **first);
bool once_fits(const struct type *);             /* a value that something can be done before */
struct node *once_then(struct comp *, struct node *first, struct node *e);

/* ---- xlate.c --------------------------------------------------------------------------------- */

struct node *check_xlate(struct comp *, struct node *);
struct node *xlate_member_of(struct comp *, struct node *);      /* of a translated object */

/* ---- lacking.c ---- */

/* Tells once that the kernel cannot fill this member, if so. */
void lacking_tell(struct comp *, const struct node *use, const struct translator *,
		  const char *member);

/* ---- xlate.c, further ---- */

struct node *xlate_deref(struct comp *, struct node *);
struct node *xlate_assign(struct comp *, struct node *to, const struct node *value);
bool xlate_check_inline(struct comp *, struct sym *);            /* called at the definition */
bool xlate_check_translator(struct comp *, struct translator *);
struct node *xlate_inline(struct comp *, struct node *, struct sym *, struct node *args);

#endif

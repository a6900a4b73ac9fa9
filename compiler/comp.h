/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * comp.h - what the passes of a compilation share.
 *
 *   text ─ front/ ─► AST ─ plan/probe, check/ ─► typed AST ─ plan/layout ─► plan ─ emit/ ─► module
 *        ─ emit/link ─► object with manifest
 *
 * compile.c is the list of passes.  A folder knows those in front of it: front, check, plan, emit,
 * dump; each has one header that says what it gives.
 */
#ifndef DTX_COMP_H
#define DTX_COMP_H

#include "compiler/front/ast.h"

struct lexer;
struct libs;
struct plan;
struct prog;

/* ---- instances ------------------------------------------------------------------------------ */

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

/* ---- the compilation ------------------------------------------------------------------------- */

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
	struct plan *plan;           /* layout.c: every size */
	struct img *img;
	/* fold_const(): declarations have constant expressions while they are parsed. */
	bool (*constant)(struct comp *, struct node *, s64 *value);
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

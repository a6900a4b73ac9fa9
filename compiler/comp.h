/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * comp.h - data shared by the passes of a compilation.
 *
 *   text ─ front/ ─► AST ─ plan/probe, check/ ─► typed AST ─ plan/layout ─► plan ─ emit/ ─► module
 *        ─ emit/link ─► object with manifest
 *
 * compile.c is the list of passes.  The folders are, in this order, front, check, plan, emit,
 * dump.  A folder uses only those before it; each has one header with its interface.
 */
#ifndef DTX_COMP_H
#define DTX_COMP_H

#include "compiler/front/ast.h"

struct front;
struct check;
struct plan;
struct prog;

/* ---- instances ------------------------------------------------------------------------------ */

/*
 * A clause with one probe description: the unit of checking and emitting.  The
 * arguments it uses have the same types in all its probes.
 */
struct inst {
	struct clause *clause;
	struct pdesc *desc;
	struct dtx_probe **probes;
	u32 nprobes;
	struct node *pred, *body;    /* typed copies */
	u32 site;                    /* index into img->sites */
	bool records;                /* records data */
	bool uses_args;              /* argN, args[], named arguments, retval, errno */
	enum args_state asked;       /* what its clause takes of its probes' arguments */
	u64 args_used;               /* bit n: argument n; bit 63: argument 63 and all above */
	bool is_error;               /* on dtrace:::ERROR */
	bool leaves;                 /* has a return */
	bool deep;                   /* has loops that are nested more than once, or large ones */
	u32 nstrs;                   /* string temporaries needed (layout/emit) */
	struct sym *gate;            /* flag.c: the flag it waits for, NULL: none */
	u32 part;                    /* instances of different parts do not share a program */
	bool parts;                  /* its statements are functions of their own (emit_loop.c) */
	u32 nodes, forks, loops;     /* of predicate and body; forks: branches */
	u32 jumps, steps;            /* measures of the verifier's work for a turn (weight.c) */
	struct inst *next;
};

/* ---- the compilation ------------------------------------------------------------------------- */

/* Data shared by the passes.  Each folder keeps its private data in a struct of its own. */
struct comp {
	struct dtx_env *env;
	struct arena *arena;         /* lives as long as the compilation; also has the strings of
				      * the image */
	struct dtx_program *progs;
	u32 nprogs;
	const struct compile_opts *opts;
	struct widths *widths;       /* outlives the comp */
	struct ast ast;
	struct sym *syms, **syms_last;
	struct inst *insts, **insts_last;
	u32 ndeep;                   /* instances that are deep */
	u32 nwalks;                  /* through clauses and inlines, so far (need.c) */
	struct prog *bprogs;         /* BPF programs */
	u32 nbprogs;
	bool broken;                 /* the text has errors: names may be missing in the AST */
	bool uses_vtime;             /* vtimestamp occurs, which needs a program of its own */
	bool uses_first;             /* __first() and its like occur, which need a map */
	struct dtx_probe **probes;   /* all matched probes, in order of img->probes */
	u32 nprobes;
	struct keytab *probe_ids;    /* id, site → index + 1 */
	struct plan *plan;           /* layout.c: all sizes and offsets */
	struct img *img;
	/* fold_declared(): folds the constant expressions of declarations during parsing. */
	bool (*constant)(struct comp *, struct node *, s64 *value);
	/* compile.c: whether `text` would be accepted in place of a program; NULL: not asked. */
	bool (*accepted)(struct comp *, const struct source *, const char *text);
	const struct source *refused;   /* the program whose text in D was not accepted */
	struct front *front;         /* parse.h: private data of the parser */
	struct check *check;         /* check-private.h */
};

#endif

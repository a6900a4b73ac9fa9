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

struct front;
struct check;
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
	u32 nodes, forks, loops;     /* of predicate and body; forks: where paths part */
	struct inst *next;
};

/* ---- the compilation ------------------------------------------------------------------------- */

/* What passes share.  What only the files of one folder need is in a struct of their own. */
struct comp {
	struct dtx_env *env;
	struct arena *arena;         /* the compilation's; the image's strings live here too */
	struct dtx_program *progs;
	u32 nprogs;
	const struct compile_opts *opts;
	struct widths *widths;       /* outlives the comp */
	struct ast ast;
	struct sym *syms, **syms_last;
	struct inst *insts, **insts_last;
	struct prog *bprogs;         /* BPF programs */
	u32 nbprogs;
	struct dtx_probe **probes;   /* all matched probes, in order of img->probes */
	u32 nprobes;
	struct keytab *probe_ids;    /* id, site → index + 1 */
	struct plan *plan;           /* layout.c: every size */
	struct img *img;
	/* fold_declared(): declarations have constant expressions while they are parsed. */
	bool (*constant)(struct comp *, struct node *, s64 *value);
	struct front *front;         /* parse.h: the parser's own */
	struct check *check;         /* checker.h: the checker's own */
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h - resolves names, types and constants: turns the AST into a typed
 * AST.
 *
 * compiler/check/ includes front.h and its check-private.h.
 */
#ifndef DTX_CHECK_H
#define DTX_CHECK_H

#include "compiler/front/front.h"

/* ---- check.c, check_call.c, check_agg.c, fold.c, constant.c --------------------------------- */

void check_open(struct comp *);                  /* makes comp->check */
void check_close(struct comp *);
bool check_insts(struct comp *);                 /* fills inst->pred, inst->body, records */
struct node *check_expr(struct comp *, struct node *);       /* typed node, NULL after an error */
struct node *check_cond(struct comp *, struct node *);       /* must be scalar */
struct node *check_call(struct comp *, struct node *);       /* subroutine in an expression */
struct node *check_action(struct comp *, struct node *);     /* N_EXPR with an action, else NULL */
struct node *check_agg(struct comp *, struct node *);
struct node *fold_node(struct comp *, struct node *);        /* constants */
bool fold_const(struct comp *, struct node *, s64 *value);   /* integer constant expression */
/*
 * The same for the parser.  It may run while a clause is being checked, if that clause uses a
 * library name that is not parsed yet: the declaration must not see the clause.
 */
bool fold_declared(struct comp *, struct node *, s64 *value);

/* ---- member.c, memory.c: where members and objects lie ------------------------------- */

/* Finds a member by name, and its place; NULL: not found. */
const struct type_member *member_find(struct type *su, const char *name, struct field *);
/* Offset and size in bytes of a member of a kernel struct, by its tag or typedef; size may be NULL.
 * false: this kernel has no such member. */
bool member_of_kernel(struct comp *, const char *tag, const char *name, u32 *off, u32 *size);
enum memory memory_of_task(const struct comp *);             /* the current task */
/* Index in img->ksyms; the loader stores the address of the symbol there. */
u32 check_ksym_index(struct comp *, const char *module, const char *name);

/* ---- stable.c: conditions and arguments given as D text ------------------------------ */

struct node *stable_when(struct comp *, struct dtx_probe *); /* the checked condition; NULL: none,
							      * or an error */
struct node *stable_arg(struct comp *, struct dtx_probe *, u32 index);   /* native value, checked */
/* parsed */
struct clause *stable_clause(struct comp *, const struct dtx_probe *, const char *text);

#endif

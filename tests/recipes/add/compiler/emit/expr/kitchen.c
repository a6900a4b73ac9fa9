/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - a subroutine and a string of the code generator, added by the recipes. */
#include "compiler/emit/expr/rows.h"
#include "compiler/emit/loc.h"

val emit_pepper(struct emit *e, const struct node *n)
{
	return LLVMBuildAdd(e->b, emit_expr(e, n->list), ll_num(e, 2), "");
}

struct str emit_basil(struct emit *e, const struct node *n)
{
	return (struct str){ STR_LIT, ll_string(e, "leaves", 6, 8), 7, n, NULL, NULL };
}

/* A place of an argument: twice its number. */
val loc_kitchen(struct emit *e, const struct dtx_arg *a, u32 size)
{
	(void)size;
	return ll_num(e, 2 * a->value);
}

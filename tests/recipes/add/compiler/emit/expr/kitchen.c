/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - a subroutine and a string of the code generator, added by the recipes. */
#include "compiler/emit/expr/rows.h"

val emit_pepper(struct emit *e, const struct node *n)
{
	return LLVMBuildAdd(e->b, emit_expr(e, n->list), ll_num(e, 2), "");
}

struct str emit_basil(struct emit *e, const struct node *n)
{
	return (struct str){ STR_LIT, ll_string(e, "leaves", 6, 8), 7, n, NULL, NULL };
}

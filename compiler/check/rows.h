/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - the functions of the checker that rows of builtins.def name: they make another node of
 * the name or call.
 */
#ifndef DTX_CHECK_ROWS_H
#define DTX_CHECK_ROWS_H

#include "compiler/check/check-private.h"

#define ROW_BL_REWRITE(f)   struct node *f(struct comp *, struct node *);
#define ROW_BL_EMIT(f)
#define ROW_BL_TEXT(f)
#define ROW_BL_CALL(f)
#define ROW_BL_RECORD(f)
#define ROW_BL_CONSUMER(f)
#define ROW_BL_ALIAS(f)
#define BUILTIN(name, kind, sig, lower, target, ...) ROW_##lower(target)
#include <dtx/tables/builtins.def>
#undef BUILTIN

#endif

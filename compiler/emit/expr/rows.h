/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - the functions of the code generator that rows of builtins.def name.  Each is in the
 * file of its topic.
 */
#ifndef DTX_EMIT_ROWS_H
#define DTX_EMIT_ROWS_H

#include "compiler/emit/emit-private.h"

#define ROW_BL_EMIT(f)      val f(struct emit *, const struct node *);
#define ROW_BL_TEXT(f)      struct str f(struct emit *, const struct node *);
#define ROW_BL_CALL(f)
#define ROW_BL_RECORD(f)
#define ROW_BL_CONSUMER(f)
#define ROW_BL_ALIAS(f)
#define ROW_BL_REWRITE(f)
#define BUILTIN(name, kind, sig, lower, target, ...) ROW_##lower(target)
#include <dtx/tables/builtins.def>
#undef BUILTIN

#endif

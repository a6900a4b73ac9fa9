/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.h - the stages of a compilation as text (-S), and the C header of -h.
 *
 * compiler/dump/ includes front.h, check.h and plan.h.
 */
#ifndef DTX_DUMP_H
#define DTX_DUMP_H

#include "compiler/plan/plan.h"

/* ---- dump.c: -S ast, typed, plan ------------------------------------------------------------- */

void dump_ast(struct comp *, struct buf *);
void dump_typed(struct comp *, struct buf *);
void dump_plan(struct comp *, struct buf *);

/* ---- header.c: the C header for programs with USDT probes (-h) ----------------- */

bool header_write(struct comp *, struct buf *);

#endif

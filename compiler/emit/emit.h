/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.h - the plan as BPF code.
 *
 * compiler/emit/ includes plan.h, LLVM, and gen.h, which is its own.
 */
#ifndef DTX_EMIT_H
#define DTX_EMIT_H

#include "compiler/plan/plan.h"

/* Module for all programs, linked with the library, optimised, emitted: img->elf. */
bool emit_image(struct comp *);

#endif

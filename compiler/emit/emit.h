/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit.h - turns the plan into BPF code.
 *
 * compiler/emit/ includes plan.h, LLVM, and its emit-private.h.
 */
#ifndef DTX_EMIT_H
#define DTX_EMIT_H

#include "compiler/plan/plan.h"

/* Makes the module of all programs, links it with the library, optimises and emits it: img->elf. */
bool emit_image(struct comp *);

#endif

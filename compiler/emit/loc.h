/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loc.h - the functions of the code generator that rows of locs.def name: the value of an argument
 * that lies there, as a number of which the low `size` bytes count.
 */
#ifndef DTX_EMIT_LOC_H
#define DTX_EMIT_LOC_H

#include "compiler/emit/emit-private.h"

#define LOC(name, load, word) val load(struct emit *, const struct dtx_arg *, u32 size);
#define NO_LOC(name, word)
#include <dtx/tables/locs.def>

#endif

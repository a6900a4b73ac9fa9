/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kind.h - the kinds of BPF programs by name, rows of progkinds.def.
 */
#ifndef DTX_KIND_H
#define DTX_KIND_H

enum prog_kind {
#define PROGKIND(id, ...) id,
#include <dtx/tables/progkinds.def>
#undef PROGKIND
	PK_N
};

#endif

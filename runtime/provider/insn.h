/* SPDX-License-Identifier: BSD-2-Clause */
/* insn.h - the instructions of a function (provider/user/userinsn.c). */
#ifndef DTX_INSN_H
#define DTX_INSN_H

#include <stddef.h>

#include <dtx/base.h>

struct codefile;

/* All its bytes, malloc'd; NULL: they are not read, or its size is 0 or beyond belief. */
u8 *insn_bytes(struct codefile *, u64 file_off, u64 size);
/* Calls fn for the offsets of its instructions, from 0 up, until fn returns non-zero; ends
 * where the code cannot be read or decoded.  `probed`: the kernel can set a probe there, and the
 * program goes on. */
int insn_each(struct codefile *, u64 file_off, u64 size,
	      int (*fn)(void *arg, u64 off, bool probed), void *arg);
/* A byte for each one of the code, malloc'd (userunfit.c): is it data, or does an instruction begin
 * there that is between an exclusive load and its store?  NULL: there are none. */
enum { UNFIT_EXCLUSIVE = 1, UNFIT_DATA };
u8 *insn_unfit(const u8 *code, u64 size);
/* Can a probe be set at this offset: does an instruction begin there that the kernel accepts? */
bool insn_probed(struct codefile *, u64 file_off, u64 size, u64 off);

#endif

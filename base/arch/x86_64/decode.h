/* SPDX-License-Identifier: BSD-2-Clause */
/* decode.h - an instruction in its parts, for insn.c and flow.c. */
#ifndef DTX_ARCH_DECODE_H
#define DTX_ARCH_DECODE_H

#include <dtx/arch.h>

/* Where an opcode is defined: alone, after 0f, after 0f 38 and 0f 3a, in VEX and its kin. */
enum { MAP_ONE, MAP_TWO, MAP_OTHER, MAP_VECTOR };

struct insn {
	const u8 *at, *end;
	bool size16, addr32, wide;       /* prefixes 66, 67, REX.W */
	bool notrack, based;             /* 3e; 64 or 65: from the base of fs or gs */
	bool bad;
	u8 rex, map, op;                 /* op: the last byte of the opcode */
	bool has_modrm;
	u8 modrm, sib;
	u8 disp_bytes;
	const u8 *disp;
};

/* Its length; 0: unknown instruction. */
u32 insn_decode(struct insn *, const u8 *code, size_t size);

#endif

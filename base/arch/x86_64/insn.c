/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.c - x86-64: the length of an instruction, to find where the next one begins.  A probe
 * set inside an instruction would change what the program does.
 *
 *   [prefixes] [REX] opcode [ModRM [SIB] [displacement]] [immediate]
 *
 * Intel, Software Developer's Manual, volume 2: chapter 2, and the opcode maps of appendix A.
 * Why: docs/decisions/21-instruction-lengths.md
 */
#include "decode.h"

/* What follows the opcode. */
enum {
	M  = 1,                          /* a ModRM byte */
	B  = 2,                          /* an immediate of 1 byte */
	W  = 4,                          /* of 2 bytes */
	Z  = 8,                          /* of 4 bytes, 2 with the prefix 66 */
	D  = 16,                         /* of 4 bytes always: branches */
	V  = 32,                         /* as Z, and 8 with REX.W: mov to a register */
	A  = 64,                         /* an address of 8 bytes, 4 with the prefix 67 */
	X  = 128,                        /* no such instruction */
};

/* First bytes of the VEX and EVEX prefixes. */
enum { VEX_2 = 0xc5, VEX_3 = 0xc4, VEX_4 = 0x62 };

#define ARITH M, M, M, M, B, Z, X, X

static const u8 one_byte[256] = {
	/* 00 */ ARITH, ARITH, ARITH, ARITH, ARITH, ARITH, ARITH, ARITH,
	/* 40 REX, 48 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, X, M, X, X, X, X, Z, M | Z, B, M | B, 0, 0, 0, 0,
	/* 70 */ B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
	/* 80 */ M | B, M | Z, X, M | B, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ A, A, A, A, 0, 0, 0, 0, B, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */ B, B, B, B, B, B, B, B, V, V, V, V, V, V, V, V,
	/* c0 */ M | B, M | B, W, 0, X, X, M | B, M | Z, W | B, 0, W, 0, 0, B, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ B, B, B, B, B, B, B, B, D, D, X, B, 0, 0, 0, 0,
	/* f0 */ X, 0, X, X, 0, 0, M, M, 0, 0, 0, 0, 0, 0, M, M,
};

/* After 0f; 38 and 3a select further maps. */
static const u8 two_byte[256] = {
	/* 00 */ M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | B,
	/* 10 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 20 */ M, M, M, M, X, X, X, X, M, M, M, M, M, M, M, M,
	/* 30 */ 0, 0, 0, 0, 0, 0, X, 0, X, X, X, X, X, X, X, X,
	/* 40 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 50 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 60 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 70 */ M | B, M | B, M | B, M | B, M, M, M, 0, M, M, M, M, M, M, M, M,
	/* 80 */ D, D, D, D, D, D, D, D, D, D, D, D, D, D, D, D,
	/* 90 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* a0 */ 0, 0, 0, M, M | B, M, X, X, 0, 0, 0, M, M | B, M, M, M,
	/* b0 */ M, M, M, M, M, M, M, M, M, M, M | B, M, M, M, M, M,
	/* c0 */ M, M, M | B, M, M | B, M | B, M | B, M, 0, 0, 0, 0, 0, 0, 0, 0,
	/* d0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* e0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* f0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
};

static u8 next(struct insn *in)
{
	if (in->at < in->end)
		return *in->at++;
	in->bad = true;
	return 0;
}

static void skip(struct insn *in, u32 n)
{
	if ((size_t)(in->end - in->at) < n)
		in->bad = true;
	else
		in->at += n;
}

static void prefixes(struct insn *in)
{
	for (; in->at < in->end; in->at++) {
		switch (*in->at) {
		case 0x66: in->size16 = true; continue;
		case 0x67: in->addr32 = true; continue;
		case 0x3e: in->notrack = true; continue;
		case 0x64: case 0x65: in->based = true; continue;
		case 0x26: case 0x2e: case 0x36: case 0xf0: case 0xf2: case 0xf3:
			continue;
		}
		break;
	}
	in->rex = in->at < in->end && (*in->at & 0xf0) == 0x40 ? next(in) : 0;
	in->wide = in->rex & 8;
}

/* What follows an opcode of map 1 (0f), 2 (0f 38) or 3 (0f 3a) in the encodings VEX and EVEX. */
static u32 map_follows(u32 map, u8 op)
{
	switch (map) {
	case 1:  return two_byte[op] & (M | B);
	case 2:  return M;
	case 3:  return M | B;
	case 5: case 6: return M;        /* half precision */
	case 8:  return M | B;           /* XOP */
	case 9:  return M;
	case 10: return M | D;
	default: return X;
	}
}

/* VEX c5 and c4, EVEX 62, XOP 8f: the map is in the prefix. */
static u32 vector(struct insn *in, u8 lead)
{
	u8 p = next(in);
	u32 map = lead == VEX_2 ? 1 : p & (lead == VEX_4 ? 7 : 0x1f);

	if (lead != VEX_2)
		skip(in, lead == VEX_4 ? 2 : 1);
	in->map = MAP_VECTOR;
	return map_follows(map, next(in));
}

static u32 follows(struct insn *in)
{
	u8 op = next(in), byte = in->at < in->end ? *in->at : 0;

	if (op == VEX_2 || op == VEX_3 || op == VEX_4 || (op == 0x8f && (byte & 0x1f) >= 8))
		return vector(in, op);
	in->op = op;
	if (op != 0x0f) {
		/* test has an immediate, the others of its group have none */
		if ((op == 0xf6 || op == 0xf7) && !(byte & 0x30))
			return M | (op == 0xf6 ? B : Z);
		return one_byte[op];
	}
	op = next(in);
	in->op = op;
	in->map = op == 0x38 || op == 0x3a ? MAP_OTHER : MAP_TWO;
	if (in->map == MAP_TWO)
		return two_byte[op];
	next(in);
	return op == 0x38 ? M : M | B;
}

static void modrm(struct insn *in)
{
	u8 m = next(in), mod = m >> 6, rm = m & 7, sib;
	u32 disp = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	in->has_modrm = true;
	in->modrm = m;
	if (mod == 3)
		return;
	if (rm == 4) {
		in->sib = sib = next(in);
		if (!mod && (sib & 7) == 5)
			disp = 4;
	} else if (!mod && rm == 5) {
		disp = 4;                        /* from %rip */
	}
	in->disp_bytes = disp;
	in->disp = in->at;
	skip(in, disp);
}

u32 insn_decode(struct insn *in, const u8 *code, size_t size)
{
	u32 f;

	*in = (struct insn){ .at = code, .end = code + MIN(size, 15u) };
	prefixes(in);
	f = follows(in);
	if (f & M)
		modrm(in);
	skip(in, f & B ? 1 : 0);
	skip(in, f & W ? 2 : 0);
	skip(in, f & D ? 4 : 0);
	skip(in, f & (Z | V) ? f & V && in->wide ? 8 : in->size16 && !in->wide ? 2 : 4 : 0);
	skip(in, f & A ? in->addr32 ? 4 : 8 : 0);
	return f & X || in->bad ? 0 : (u32)(in->at - code);
}

u32 arch_insn_len(const u8 *code, size_t size)
{
	struct insn in;

	return insn_decode(&in, code, size);
}

/*
 * The kernel runs a probed instruction at another address.  It accepts only instructions that do
 * the same there (arch/x86/kernel/uprobes.c: good_insns_64): none with a segment or lock prefix,
 * and none of those below.  It accepts all of 0f ….
 *
 * It ignores VEX and EVEX prefixes and treats the opcode as a one-byte opcode: vpbroadcastb (78)
 * is emulated as js, vcmpps (c2) as ret, and the program computes something else.  dtx sets no
 * probe on these; memchr() and strlen() begin with them.  It takes any 90 for a nop
 * (branch_setup_xol_ops()): xchg %rax,%r8 is 49 90, and a function of Go's write barrier begins so.
 */
bool arch_insn_probed(const u8 *code, u32 len)
{
	static const u8 prefixes_refused[] = { 0x26, 0x2e, 0x36, 0x3e, 0xf0 };
	static const u8 prefixes_taken[] = { 0x64, 0x65, 0x66, 0x67, 0xf2, 0xf3 };
	static const u8 refused[] = {
		0x06, 0x07, 0x0e,  0x16,  0x17, 0x1e, 0x1f, 0x27, 0x2f, 0x37, 0x3f,
		0x60, 0x61, VEX_4, 0x6c,  0x6d, 0x6e, 0x6f, 0x82, 0x9a, 0xcc, 0xcd,
		0xce, 0xcf, VEX_2, VEX_3, 0xd4, 0xd5, 0xd6, 0xe4, 0xe5, 0xe6, 0xe7,
		0xea, 0xec, 0xed,  0xee,  0xef, 0xf0, 0xf1, 0xf4, 0xfa, 0xfb,
	};
	u32 i = 0;

	while (i < len && memchr(prefixes_taken, code[i], sizeof(prefixes_taken)))
		i++;
	if (i < len && memchr(prefixes_refused, code[i], sizeof(prefixes_refused)))
		return false;
	if (i + 1 < len && (code[i] & 0xf1) == 0x41 && code[i + 1] == 0x90)
		return false;
	if (i < len && (code[i] & 0xf0) == 0x40)
		i++;
	return i < len && !memchr(refused, code[i], sizeof(refused));
}

bool arch_insn_ends(const u8 *code)
{
	return code[0] == 0xc3 || code[0] == 0xe9 || code[0] == 0xeb || code[0] == 0xcc;
}

bool arch_insn_stops(const u8 *code, u32 len)
{
	u32 i = 0;

	while (i + 1 < len && (code[i] == 0xf2 || code[i] == 0x3e || (code[i] & 0xf0) == 0x40))
		i++;
	if (code[i] == 0xf4 || (i + 1 < len && code[i] == 0x0f && code[i + 1] == 0x0b))
		return true;                     /* hlt, ud2 */
	return i + 1 < len && code[i] == 0xff && (code[i + 1] >> 3 & 6) == 4;    /* jmp * */
}

bool arch_insn_returns(const u8 *code, u32 len)
{
	u8 op = code[0] == 0xf3 && len > 1 ? code[1] : code[0];  /* rep ret: the same */

	return op == 0xc3 || op == 0xc2;
}

bool arch_insn_jumps(const u8 *code, u32 len, u64 addr, u64 *to)
{
	static const u8 prefixes_of_jumps[] = { 0x2e, 0x3e, 0x66, 0xf2 };
	s32 distance = 0;
	u32 i = 0;
	bool near, far;

	while (i < len && memchr(prefixes_of_jumps, code[i], sizeof(prefixes_of_jumps)))
		i++;
	if (i + 1 >= len)
		return false;
	near = (code[i] & 0xf0) == 0x70 || (code[i] & 0xfc) == 0xe0 || code[i] == 0xeb;
	far = code[i] == 0xe9 || (code[i] == 0x0f && (code[i + 1] & 0xf0) == 0x80);
	if (near)
		distance = (s8)code[len - 1];
	else if (far && len > sizeof(distance))
		memcpy(&distance, code + len - sizeof(distance), sizeof(distance));
	*to = addr + len + (s64)distance;
	return near || far;
}

bool arch_insn_replaced(const u8 *code, u64 addr, u64 *to)
{
	s32 distance;

	*to = 0;
	memcpy(&distance, code + 1, sizeof(distance));
	if (code[0] == 0xe9)
		*to = addr + 5 + (s64)distance;
	return code[0] == 0xcc || code[0] == 0xe9;
}

/* [endbr64] [bnd] jmp *slot(%rip) */
bool arch_plt_slot(const u8 *code, size_t len, u64 addr, u64 *slot)
{
	static const u8 endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, jump[] = { 0xff, 0x25 };
	size_t at = len > sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr)) ? sizeof(endbr) : 0;
	s32 distance;

	at += at < len && code[at] == 0xf2;
	if (at + sizeof(jump) + sizeof(distance) > len || memcmp(code + at, jump, sizeof(jump)))
		return false;
	at += sizeof(jump);
	memcpy(&distance, code + at, sizeof(distance));
	*slot = addr + at + sizeof(distance) + (s64)distance;
	return true;
}

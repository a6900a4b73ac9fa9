/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prologue.c - x86-64: what the first instructions of a function store in its frame.
 *
 * Debugging information of code that is not optimised says where a parameter lies once the function
 * has stored it.  At the entry it is still where the caller put it, which depends on the calling
 * convention: the instruction that stores it tells.  Followed are moves between registers and the
 * frame; what is not known ends it, as does a branch.  So nothing is guessed.
 */
#include <stddef.h>

#include <asm/ptrace.h>

#include <dtx/arch.h>

#define INSNS_MOST 64

#define REG(r) offsetof(struct pt_regs, r)

enum { AX = 0, SP = 4, BP = 5 };         /* numbers of registers in instructions */

static const u32 numbered[16] = {
	REG(rax), REG(rcx), REG(rdx), REG(rbx), REG(rsp), REG(rbp), REG(rsi), REG(rdi),
	REG(r8), REG(r9), REG(r10), REG(r11), REG(r12), REG(r13), REG(r14), REG(r15),
};

struct scan {
	struct arch_prologue *p;
	struct arch_origin regs[16];     /* bytes 0: unknown */
	struct { bool known; s32 at; } addr[16];         /* the CFA and `at` */
	bool bits32;
	bool fp;                         /* rbp is p->fp from the CFA */
};

/* One instruction: prefixes, opcode, and the operands of a ModRM byte. */
struct decoded {
	const u8 *imm;                   /* what follows the operands */
	u8 op;
	bool two;                        /* after 0f */
	bool wide, size16, vector;       /* REX.W, 66, f2 or f3 */
	u32 reg, rm;
	bool high;                       /* %ah or its kin is an operand */
	bool memory;                     /* rm is the base of an address */
	bool has_base;
	s32 disp;
};

/* ---- one instruction -------------------------------------------------------------------- */

static s32 number(const u8 *at, u32 size)
{
	s32 n = (s8)*at;

	if (size == 4)
		memcpy(&n, at, sizeof(n));
	return n;
}

/* `code` is a whole instruction of `len` bytes.  Reads the ModRM byte, SIB and displacement. */
static void operands(struct decoded *d, const u8 *at, u32 rex)
{
	u8 m = *at++, mod = m >> 6, rm = m & 7;
	u32 disp = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	d->reg = (m >> 3 & 7) | (rex & 4) << 1;
	d->memory = mod != 3;
	d->has_base = mod;
	if (d->memory && rm == 4) {              /* a SIB byte; 4: no index */
		d->has_base = (mod || (*at & 7) != BP) && (*at >> 3 & 7) == 4 && !(rex & 2);
		rm = *at++ & 7;
		disp = !mod && rm == BP ? 4 : disp;
	} else if (d->memory && !mod) {
		d->has_base = rm != BP;
		disp = rm == BP ? 4 : 0;
	}
	d->rm = rm | (rex & 1) << 3;
	d->disp = disp ? number(at, disp) : 0;
	d->imm = at + disp;
}

/* Without REX, byte registers 4 … 7 are %ah, %ch, %dh, %bh. */
static void high_bytes(struct decoded *d)
{
	bool of_bytes = !d->two && (d->op == 0x88 || d->op == 0x8a || d->op == 0x80 ||
				    d->op == 0xc6 || d->op == 0xf6 || d->op == 0xfe ||
				    d->op == 0xc0 || d->op == 0xd0 || d->op == 0xd2 ||
				    (d->op < 0x40 && !(d->op & 1)) || (d->op & 0xf8) == 0xb0);
	bool from_byte = d->two && ((d->op & 0xf0) == 0x90 || d->op == 0xb6 || d->op == 0xbe);

	d->high = of_bytes && d->op != 0xf6 && d->reg >= 4 && (d->op < 0x40 || d->op == 0x88 ||
							       d->op == 0x8a);
	if (d->high)
		d->reg -= 4;
	if ((of_bytes || from_byte) && (!d->memory || (d->op & 0xf8) == 0xb0) && d->rm >= 4) {
		d->high = true;
		d->rm -= 4;
	}
}

/* false: it has a prefix that changes what it does. */
static bool decode(const u8 *code, u32 len, bool bits32, struct decoded *d)
{
	const u8 *at = code, *end = code + len;
	u32 rex = 0;

	*d = (struct decoded){ 0 };
	for (; at < end && (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x64); at++) {
		d->size16 |= *at == 0x66;
		d->vector |= *at == 0xf2 || *at == 0xf3;
	}
	if (!bits32 && at < end && (*at & 0xf0) == 0x40)
		rex = *at++;
	d->wide = rex & 8;
	d->two = at < end && *at == 0x0f;
	at += d->two;
	if (at >= end)
		return false;
	d->op = *at++;
	d->rm = (d->op & 7) | (rex & 1) << 3;    /* push, mov of a constant */
	d->imm = at;
	if (at < end)
		operands(d, at, rex);
	if ((d->op & 0xf8) == 0x50 || (d->op & 0xf0) == 0xb0)
		d->rm = (d->op & 7) | (rex & 1) << 3;
	if (!rex)
		high_bytes(d);
	return true;
}

/* ---- the state ---------------------------------------------------------------------------- */

static const struct arch_origin nowhere;

static struct arch_origin narrower(struct arch_origin o, u32 bytes)
{
	o.bytes = MIN(o.bytes, bytes);
	return o;
}

/* The address that a register holds, if it is of the frame, from the CFA. */
static bool frame_address(const struct scan *s, u32 reg, s32 *at)
{
	if (reg == SP || (reg == BP && s->fp)) {
		*at = reg == SP ? s->p->sp : s->p->fp;
		return reg != SP || s->p->has_sp;
	}
	*at = s->addr[reg].at;
	return s->addr[reg].known;
}

/* The address of an operand in the frame, from the CFA. */
static bool in_frame(const struct scan *s, const struct decoded *d, s32 *at)
{
	if (!d->memory || !d->has_base || !frame_address(s, d->rm, at))
		return false;
	*at += d->disp;
	return true;
}

static const struct arch_store *stored(const struct arch_prologue *p, s32 at)
{
	for (u32 i = 0; i < p->n; i++)
		if (p->stores[i].at == at)
			return &p->stores[i];
	return NULL;
}

static void store(struct scan *s, s32 at, u32 bytes, struct arch_origin from)
{
	struct arch_prologue *p = s->p;

	if (p->n == ARRAY_SIZE(p->stores) || !from.bytes || stored(p, at))
		return;
	p->stores[p->n++] = (struct arch_store){ at, MIN(bytes, from.bytes), p->sp, from };
}

/* In memory at the address that a register holds. */
static struct arch_origin behind(const struct scan *s, const struct decoded *d, u32 bytes)
{
	struct arch_origin base = d->has_base ? s->regs[d->rm] : nowhere;

	if (base.bytes < (s->bits32 ? 4 : 8) || base.stack || base.behind || d->rm == SP ||
	    d->rm == BP || !d->memory)
		return nowhere;
	return (struct arch_origin){ .at = base.at, .bytes = bytes, .behind = true,
				     .disp = d->disp };
}

/* What memory at an operand holds: something that was stored, or an argument on the stack. */
static struct arch_origin loaded(const struct scan *s, const struct decoded *d, u32 bytes)
{
	const struct arch_store *from;
	s32 at;

	if (!in_frame(s, d, &at))
		return behind(s, d, bytes);
	from = stored(s->p, at);
	if (from)
		return narrower(from->from, MIN(bytes, from->bytes));
	return at < 0 ? nowhere : (struct arch_origin){ .at = at, .bytes = bytes, .stack = true };
}

static void move(struct scan *s, const struct decoded *d, u32 to, struct arch_origin from)
{
	bool to_fp = to == BP && !d->memory && (d->op == 0x89 ? d->reg : d->rm) == SP &&
		     (d->op == 0x89 || d->op == 0x8b);

	if (to == SP)
		s->p->has_sp = false;
	if (to == BP)
		s->fp = to_fp && s->p->has_sp;
	if (to == BP && s->fp)
		s->p->fp = s->p->sp;
	s->p->has_fp = s->fp;
	s->addr[to].known = false;
	s->regs[to] = from;
	s->p->regs[to].lost = !from.bytes;
	if (from.bytes)
		s->p->regs[to].from = from;
}

/* add, sub, and, … of a constant to a register */
static bool constant(struct scan *s, const struct decoded *d)
{
	u32 what = d->reg & 7;           /* 0 add, 4 and, 5 sub, 7 cmp */
	s32 n = number(d->imm, d->op == 0x81 ? 4 : 1);

	if (d->memory || what == 7)
		return true;
	if (d->rm == SP && (what == 0 || what == 5))
		s->p->sp += what ? -n : n;
	else if (d->rm == SP)
		s->p->has_sp = false;            /* aligned */
	else if (what != 4 || d->op != 0x80 || d->high)
		move(s, d, d->rm, nowhere);      /* and $1,%al: a bool stays what it is */
	return true;
}

static u32 width(const struct decoded *d)
{
	return !(d->op & 1) ? 1 : d->wide ? 8 : d->size16 ? 2 : 4;
}

static void set_address(struct scan *s, const struct decoded *d, u32 to, s32 at)
{
	move(s, d, to, nowhere);
	s->addr[to].known = true;
	s->addr[to].at = at;
}

static void move_to_rm(struct scan *s, const struct decoded *d)
{
	u32 bytes = width(d);
	s32 at;

	if (!d->memory && d->op == 0x89 && frame_address(s, d->reg, &at) && d->rm != BP)
		set_address(s, d, d->rm, at);
	else if (!d->memory)
		move(s, d, d->rm, d->high ? nowhere : narrower(s->regs[d->reg], bytes));
	else if (in_frame(s, d, &at))
		store(s, at, bytes, d->high ? nowhere : s->regs[d->reg]);
}

static void move_to_reg(struct scan *s, const struct decoded *d, u32 bytes)
{
	move(s, d, d->reg, d->memory ? loaded(s, d, bytes) :
			   d->high ? nowhere : narrower(s->regs[d->rm], bytes));
}

/* A register gets something else. */
static bool lose(struct scan *s, const struct decoded *d, u32 reg)
{
	move(s, d, reg, nowhere);
	return reg != SP;
}

/* After 0f; false: not known. */
static bool two_bytes(struct scan *s, const struct decoded *d)
{
	switch (d->op) {                 /* dispatch */
	case 0xb6: case 0xbe:
		move_to_reg(s, d, 1);
		return true;
	case 0xb7: case 0xbf:
		move_to_reg(s, d, 2);
		return true;
	case 0x10: case 0x11: case 0x28: case 0x29: case 0x57: case 0x6f: case 0x7f: case 0xd6:
	case 0x13: case 0x16: case 0x17: case 0xef:      /* vector registers */
	case 0x1e: case 0x1f:                            /* endbr64, nop */
	case 0x2e: case 0x2f: case 0x54: case 0x58: case 0x59: case 0x5a: case 0x5c: case 0x5e:
	case 0x14: case 0x2a: case 0x6c: case 0x6e:
		return true;
	case 0x2c: case 0x2d: case 0xaf:                 /* to an integer, imul */
		return lose(s, d, d->reg);
	default:
		return false;
	}
}

/* add, or, adc, sbb, and, sub, xor of registers and memory */
static bool arithmetic(struct scan *s, const struct decoded *d)
{
	if ((d->op & 7) > 3)
		return false;                    /* of a constant and %eax */
	if (d->op & 2)
		return lose(s, d, d->reg);
	return d->memory || lose(s, d, d->rm);
}

/* lea: Free Pascal makes room on the stack with it. */
static void load_address(struct scan *s, const struct decoded *d)
{
	s32 at;

	if (!in_frame(s, d, &at))
		move(s, d, d->reg, nowhere);
	else if (d->reg == SP)
		s->p->sp = at;
	else
		set_address(s, d, d->reg, at);
}

static bool one_byte(struct scan *s, const struct decoded *d)
{
	if (d->op < 0x38 && d->op != 0x24)
		return arithmetic(s, d);
	switch (d->op) {                 /* dispatch */
	case 0x88: case 0x89:
		move_to_rm(s, d);
		return true;
	case 0x8a: case 0x8b:
		move_to_reg(s, d, width(d));
		return true;
	case 0x63:                               /* movslq; in 32-bit code arpl */
		move_to_reg(s, d, 4);
		return !s->bits32;
	case 0x8d:
		load_address(s, d);
		return true;
	case 0x80: case 0x81: case 0x83:
		return constant(s, d);
	case 0x24:                               /* and $n,%al */
	case 0x84: case 0x85: case 0x38: case 0x39: case 0x3a: case 0x3b: case 0x90:
		return true;
	case 0x69: case 0x6b:                    /* imul */
		return lose(s, d, d->reg);
	case 0xc0: case 0xc1: case 0xd0: case 0xd1: case 0xd2: case 0xd3:        /* shifts */
		return d->memory || lose(s, d, d->rm);
	case 0xd9: case 0xdb: case 0xdd:         /* x87: fld, fstp */
		return d->memory;
	case 0xc6: case 0xc7:
		if (!d->memory)
			move(s, d, d->rm, nowhere);
		return true;
	default:
		return false;
	}
}

static bool step(struct scan *s, const struct decoded *d)
{
	s32 word = s->bits32 ? 4 : 8;

	if (d->two)
		return two_bytes(s, d);
	if ((d->op & 0xf8) == 0x50) {            /* push: it also makes room */
		s->p->sp -= word;
		return true;
	}
	if ((d->op & 0xf0) == 0xb0) {
		move(s, d, d->rm, nowhere);
		return true;
	}
	return !d->vector && one_byte(s, d);
}

void arch_prologue(const u8 *code, size_t size, bool bits32, struct arch_prologue *p)
{
	struct scan s = { .p = p, .bits32 = bits32 };
	struct decoded d;
	u8 insn[32];                     /* with zeros behind it */
	size_t at = 0;

	*p = (struct arch_prologue){ .sp = bits32 ? -4 : -8, .has_sp = true };
	for (u32 i = 0; i < (bits32 ? 8u : 16u); i++) {
		s.regs[i] = (struct arch_origin){ .at = (s32)numbered[i], .bytes = bits32 ? 4 : 8 };
		p->regs[i] = (struct arch_home){ numbered[i], s.regs[i], false };
	}
	for (u32 i = 0; i < INSNS_MOST; i++) {
		u32 len = arch_insn_len(code + at, size - at);

		memset(insn, 0, sizeof(insn));
		memcpy(insn, code + at, len);
		if (!len || (bits32 && (*insn & 0xf0) == 0x40) ||
		    !decode(insn, len, bits32, &d) || !step(&s, &d))
			break;
		at += len;
	}
}

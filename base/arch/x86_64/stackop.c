/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackop.c - x86-64: what an instruction does to the stack pointer and to the registers that
 * functions keep.
 *
 * Intel, Software Developer's Manual, volume 2.  Registers have the numbers of instructions: 4 rsp,
 * 5 rbp, 3 rbx, 12 … 15.
 */
#include <dtx/arch.h>
#include <dtx/unwind.h>

enum { RSP = 4, RBP = 5, NONE = 255 };

struct decoded {
	const u8 *op, *end;              /* the opcode, after prefixes */
	u8 rex;
	bool size16, modrm, reg_only;    /* reg_only: mod is 3 */
	u8 reg, rm;                      /* with REX */
	bool from_sp, from_bp;           /* memory at rsp or rbp + disp, no index */
	s32 disp;
};

static s32 disp_of(const u8 *p, u32 mod)
{
	s32 v;

	if (mod == 1)
		return (s8)*p;
	memcpy(&v, p, sizeof(v));
	return mod == 2 ? v : 0;
}

static void decode_memory(struct decoded *d, const u8 *m)
{
	u32 mod = *m >> 6, rm = *m & 7;
	const u8 *p = m + 1 + (rm == 4);

	if (d->end - p < (mod == 1 ? 1 : mod == 2 ? 4 : 0))
		return;
	d->from_sp = rm == 4 && m + 1 < d->end && m[1] == 0x24 && !(d->rex & 3);
	d->from_bp = rm == 5 && mod && !(d->rex & 1);
	d->disp = mod == 1 || mod == 2 ? disp_of(p, mod) : 0;
}

static void decode(struct decoded *d, const u8 *code, u32 len)
{
	const u8 *m;

	*d = (struct decoded){ .op = code, .end = code + len };
	for (; d->op < d->end && memchr("\x66\x67\x2e\x3e\xf2\xf3", *d->op, 6); d->op++)
		d->size16 |= *d->op == 0x66;
	if (d->op < d->end && (*d->op & 0xf0) == 0x40)
		d->rex = *d->op++;
	m = d->op + (d->op + 1 < d->end && *d->op == 0x0f ? 2 : 1);
	if (m >= d->end)
		return;
	d->modrm = true;
	d->reg = (*m >> 3 & 7) | (d->rex & 4) << 1;
	d->rm = (*m & 7) | (d->rex & 1) << 3;
	d->reg_only = *m >> 6 == 3;
	if (!d->reg_only)
		decode_memory(d, m);
}

/* The register that a two-byte opcode (0f …) writes. */
static u8 written_0f(const struct decoded *d)
{
	u8 op = d->op + 1 < d->end ? d->op[1] : 0;

	if ((op & 0xf0) == 0x40 || op == 0xaf || (op >= 0xb6 && op <= 0xb8) || op == 0xbc ||
	    op == 0xbd || op == 0xbe || op == 0xbf)
		return d->reg;
	if ((op & 0xf8) == 0xc8)
		return (op & 7) | (d->rex & 1) << 3;     /* bswap */
	return (op & 0xf0) == 0x90 && d->reg_only ? d->rm : NONE;
}

/* The general register that an instruction writes, of its usual forms. */
static u8 written(const struct decoded *d)
{
	u8 op = *d->op, in_op = (op & 7) | (d->rex & 1) << 3;

	if (op == 0x0f)
		return written_0f(d);
	if ((op >= 0xb8 && op <= 0xbf) || (op > 0x90 && op <= 0x97))
		return in_op;
	if (op < 0x40 && (op & 7) == 3)
		return op == 0x3b ? NONE : d->reg;       /* cmp */
	if (op == 0x63 || op == 0x69 || op == 0x6b || op == 0x8b || op == 0x8d)
		return d->reg;
	if (!d->reg_only)
		return op == 0x87 ? d->reg : NONE;
	if (op < 0x40 && (op & 7) == 1)
		return op == 0x39 ? NONE : d->rm;
	if ((op == 0x81 || op == 0x83) && (d->reg & 7) != 7)
		return d->rm;
	if (op == 0x89 || op == 0x87 || op == 0xc1 || op == 0xd1 || op == 0xd3 || op == 0xc7 ||
	    (op == 0xff && (d->reg & 7) < 2) || (op == 0xf7 && (d->reg & 6) == 2))
		return d->rm;
	return NONE;
}

/* push and pop of a register. */
static bool push_pop(const struct decoded *d, struct arch_stackop *out)
{
	u8 op = *d->op, reg = (op & 7) | (d->rex & 1) << 3;

	if (d->size16)
		return false;
	if ((op & 0xf8) == 0x50)
		*out = (struct arch_stackop){ ARCH_SP_PUSH, reg, 0 };
	else if ((op & 0xf8) == 0x58)
		*out = (struct arch_stackop){ ARCH_SP_POP, reg, 0 };
	else if (op == 0xff && (d->reg & 7) == 6 && d->from_sp)
		*out = (struct arch_stackop){ ARCH_SP_PUSH_COPY, ARCH_SP_NOREG, d->disp };
	else if (op == 0x68 || op == 0x6a || op == 0x9c || (op == 0xff && (d->reg & 7) == 6))
		*out = (struct arch_stackop){ ARCH_SP_PUSH, ARCH_SP_NOREG, 0 };
	else if (op == 0x9d || op == 0x8f)
		*out = (struct arch_stackop){ ARCH_SP_POP, ARCH_SP_NOREG, 0 };
	else
		return false;
	return true;
}

/* The stack pointer gets a value. */
static struct arch_stackop sp_written(const struct decoded *d)
{
	u8 op = *d->op;
	s32 n = 0;

	if (op == 0x83)
		n = (s8)d->end[-1];
	else if (op == 0x81)
		memcpy(&n, d->end - sizeof(n), sizeof(n));
	if ((op == 0x83 || op == 0x81) && (d->reg & 7) == 0)
		return (struct arch_stackop){ ARCH_SP_ADD, 0, n };
	if ((op == 0x83 || op == 0x81) && (d->reg & 7) == 5)
		return (struct arch_stackop){ ARCH_SP_ADD, 0, -n };
	if (op == 0x8d && d->from_sp)
		return (struct arch_stackop){ ARCH_SP_ADD, 0, d->disp };
	if (op == 0x8d && d->from_bp)
		return (struct arch_stackop){ ARCH_SP_FROM_FP, 0, d->disp };
	if ((op == 0x89 && d->reg == RBP) || (op == 0x8b && d->reg_only && d->rm == RBP))
		return (struct arch_stackop){ ARCH_SP_FROM_FP, 0, 0 };
	return (struct arch_stackop){ ARCH_SP_LOST, 0, 0 };
}

static bool bp_from_sp(const struct decoded *d, s64 *n)
{
	u8 op = *d->op;

	*n = op == 0x8d ? d->disp : 0;
	return (op == 0x8d && d->from_sp && d->reg == RBP) ||
	       (op == 0x89 && d->reg_only && d->reg == RSP && d->rm == RBP) ||
	       (op == 0x8b && d->reg_only && d->rm == RSP && d->reg == RBP);
}

struct arch_stackop arch_stack_op(const u8 *code, u32 len)
{
	struct arch_stackop out = { ARCH_SP_NONE, 0, 0 };
	struct decoded d;
	u8 to;

	decode(&d, code, len);
	if (d.op >= d.end || *d.op == 0xc4 || *d.op == 0xc5 || *d.op == 0x62)
		return out;
	if (push_pop(&d, &out))
		return out;
	if (*d.op == 0xc9)
		return (struct arch_stackop){ ARCH_SP_LEAVE, RBP, 0 };
	if (*d.op == 0x0f && d.op + 1 < d.end && d.op[1] == 0x05)
		return (struct arch_stackop){ ARCH_SP_SYSCALL, 0, 0 };
	if (d.rex & 8 && *d.op == 0x89 && d.from_sp)
		return (struct arch_stackop){ ARCH_SP_STORE, d.reg, d.disp };
	if (d.rex & 8 && *d.op == 0x8b && d.from_sp && d.reg != RSP)
		return (struct arch_stackop){ ARCH_SP_LOAD, d.reg, d.disp };
	if (!d.modrm && (*d.op & 0xf8) != 0xb8 && (*d.op & 0xf8) != 0x90)
		return out;
	to = written(&d);
	if (to == RSP)
		return sp_written(&d);
	if (to == RBP && d.rex & 8 && bp_from_sp(&d, &out.n))
		return (struct arch_stackop){ ARCH_SP_TO_FP, RBP, out.n };
	if (to == RBP && (*d.op == 0x31 || *d.op == 0x33) && d.reg == d.rm)
		return (struct arch_stackop){ ARCH_SP_ZERO_FP, RBP, 0 };
	if (to != NONE)
		return (struct arch_stackop){ ARCH_SP_WRITE, to, 0 };
	return out;
}

bool arch_insn_calls(const u8 *code, u32 len, u64 addr, u64 *to)
{
	struct decoded d;
	s32 distance;

	decode(&d, code, len);
	*to = 0;
	if (d.op >= d.end)
		return false;
	if (*d.op == 0xe8 && d.end - d.op > 4) {
		memcpy(&distance, d.op + 1, sizeof(distance));
		*to = addr + len + (s64)distance;
		return true;
	}
	return *d.op == 0xff && (d.reg & 7) == 2;
}

/* nop in its lengths, int3, and zeros: between functions. */
bool arch_insn_pads(const u8 *code, u32 len)
{
	u32 i = 0;

	while (i < len && (code[i] == 0x66 || code[i] == 0x2e))
		i++;
	if (i >= len)
		return false;
	return code[i] == 0x90 || code[0] == 0xcc || (code[0] == 0 && len == 2 && !code[1]) ||
	       (i + 1 < len && code[i] == 0x0f && code[i + 1] == 0x1f);
}

/* rep, bnd, notrack */
u32 arch_insn_prefix(const u8 *code, u32 len)
{
	return len > 1 && (*code == 0xf2 || *code == 0xf3 || *code == 0x3e) ? 1 : 0;
}

bool arch_insn_halts(const u8 *code)
{
	return *code == 0xf4 || *code == 0x0f;          /* hlt, ud2 */
}

/* int3, nop, ret */
bool arch_code_ended(const u8 *end, u32 n)
{
	return n && memchr("\xcc\x90\xc3", end[-1], 3);
}

u32 arch_kept_reg(u8 reg)
{
	static const u8 regs[16] = {
		[3] = DTX_UW_KEPT, [5] = DTX_UW_FP, [12] = DTX_UW_KEPT + 1, [13] = DTX_UW_KEPT + 2,
		[14] = DTX_UW_KEPT + 3, [15] = DTX_UW_KEPT + 4,
	};

	return reg < ARRAY_SIZE(regs) && regs[reg] ? regs[reg] : ARCH_UW_REGS;
}

bool arch_insn_marks_entry(const u8 *code)
{
	return !memcmp(code, "\xf3\x0f\x1e\xfa", 4);   /* endbr64 */
}

/* mov $15,%eax or %rax; syscall */
u32 arch_sigreturn(const u8 *code, size_t size)
{
	static const u8 wide[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	static const u8 narrow[] = { 0xb8, 15, 0, 0, 0, 0x0f, 0x05 };

	if (size >= sizeof(wide) && !memcmp(code, wide, sizeof(wide)))
		return sizeof(wide);
	return size >= sizeof(narrow) && !memcmp(code, narrow, sizeof(narrow)) ? sizeof(narrow) : 0;
}

/* xor %rdi,%rdi; call _exit; hlt: make_fcontext of Boost. */
u32 arch_context_ends(const u8 *code, size_t size)
{
	u32 wide = size && *code == 0x48;

	return size >= wide + 8 && code[wide] == 0x31 && code[wide + 1] == 0xff &&
	       code[wide + 2] == 0xe8 && code[wide + 7] == 0xf4 ? wide + 8 : 0;
}

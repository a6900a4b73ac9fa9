/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userpast.c - the probe of an entry is moved to the first instruction that the kernel does itself,
 * if until there nothing has changed that the probe reads.  A probe on any other instruction costs
 * a second trap: a step over a copy of it.
 *
 * A call must come by that instruction once, so nothing else may lead there: no jump of the
 * function (codewalk.c), no function that begins there, and no jump or pointer from elsewhere in
 * the object.  For the last, bytes are looked at wherever an instruction may begin: what only looks
 * like a jump costs a step, and none is missed.
 * Why: docs/decisions/50-past-the-entry.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/tables/loc.h>
#include <dtx/arch.h>
#include <dtx/env.h>
#include <dtx/opt.h>

#include "runtime/code/code.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"

#define PAST_BYTES   64          /* of a function that are looked at */
#define PIECE        (1u << 20)  /* of the code that is read at a time */
#define CODE_MOST    (256u << 20)

/* ---- jumps of an object -------------------------------------------------------------------- */

static void add_target(struct user_jumps *j, u64 to)
{
	if (to - j->addr < j->size)
		j->bits[(to - j->addr) / 8] |= (u8)(1u << (to - j->addr) % 8);
}

static void add_jumps(struct user_jumps *j, const u8 *code, size_t n, u64 addr)
{
	for (size_t i = 0; i + ARCH_REACH_BYTES <= n; i++) {
		u64 to;

		if (arch_reach(code + i, addr + i, &to) == ARCH_REACH_FAR)
			add_target(j, to);
	}
}

/* Relocations are data, too: they have the pointer if its place does not (R_*_RELATIVE). */
static void add_pointers(struct user_jumps *j, const u8 *data, size_t n, u64 addr)
{
	for (size_t i = -addr % 8; i + sizeof(u64) <= n; i += sizeof(u64)) {
		u64 to;

		memcpy(&to, data + i, sizeof(to));
		add_target(j, to);
	}
}

/* false: a part of it cannot be read. */
static bool read_part(struct codefile *file, struct user_jumps *j, const struct elfseg *seg)
{
	u8 *bytes = xmalloc(PIECE + 2 * ARCH_REACH_BYTES);
	u64 at = 0;

	for (; at < seg->size; at += PIECE) {
		u64 wanted = MIN(PIECE + ARCH_REACH_BYTES - 1, seg->size - at);
		ssize_t n = pread(codefile_fd(file), bytes, wanted, (off_t)(seg->off + at));

		if (n < 0 || (u64)n < wanted)
			break;
		memset(bytes + n, 0, ARCH_REACH_BYTES);
		if (seg->runs)
			add_jumps(j, bytes, wanted + ARCH_REACH_BYTES - 1, seg->vaddr + at);
		else
			add_pointers(j, bytes, wanted, seg->vaddr + at);
	}
	free(bytes);
	return at >= seg->size;
}

static bool read_parts(struct codefile *file, struct user_jumps *j)
{
	struct elfsyms *syms = codefile_symbols(file);
	struct elfseg seg;

	for (u32 i = 0; elfsyms_segment(syms, i, &seg); i++)
		if (seg.size > CODE_MOST || !read_part(file, j, &seg))
			return false;
	return true;
}

/* The one part of the file that is mapped as code; false: there are several, or none. */
static bool find_code(struct elfsyms *syms, struct elfseg *code)
{
	struct elfseg seg;
	u32 n = 0;

	for (u32 i = 0; elfsyms_segment(syms, i, &seg); i++) {
		if (seg.runs)
			*code = seg;
		n += seg.runs;
	}
	return n == 1 && code->size <= CODE_MOST;
}

static const struct user_jumps *jumps_of(struct dtx_env *env, const char *path)
{
	struct codefile *file = user_code(env, path);
	struct map *known = user_ends_cache(env)->jumps;
	struct user_jumps *j = map_get(known, path);
	struct elfseg code;

	if (j)
		return j;
	j = xcalloc(1, sizeof(*j));
	map_set(known, path, j);
	if (!find_code(codefile_symbols(file), &code))
		return j;
	j->addr = code.vaddr;
	j->size = code.size;
	j->bits = xcalloc(j->size / 8 + 1, 1);
	if (!read_parts(file, j)) {
		free(j->bits);
		j->bits = NULL;
	}
	return j;
}

static bool may_be_target(const struct user_jumps *j, u64 addr)
{
	u64 at = addr - j->addr;

	return !j->bits || at >= j->size || j->bits[at / 8] >> at % 8 & 1;
}

/* ---- one function --------------------------------------------------------------------------- */

struct past {
	struct dtx_env *env;
	const struct user_function *f;
	u64 starts;                      /* of struct user_past */
};

static bool is_start(const struct past *p, u64 to)
{
	u64 n = to - p->f->sym->addr;

	return n < 64 && p->starts >> n & 1;
}

static bool is_jumped_to(const struct past *p)
{
	const struct user_jumps *j = jumps_of(p->env, p->f->where->path);

	for (u64 n = 0; n < 64; n++)
		if (p->starts >> n & 1 && may_be_target(j, p->f->sym->addr + n))
			return true;
	return false;
}

/* A jump that looks so may be the middle of another instruction. */
static int begins_there(void *arg, u64 off, bool probed)
{
	u64 wanted = *(u64 *)arg;

	return off == wanted ? 1 : off > wanted ? 2 : 0;
}

static bool is_instruction(const struct past *p, u64 addr)
{
	const struct elfsym *g = elfsyms_at(codefile_symbols(p->f->file), addr);
	u64 wanted;

	if (!g || addr - g->addr >= g->size)
		return true;                     /* nobody knows */
	wanted = addr - g->addr;
	return insn_each(p->f->file, g->file_off, g->size, begins_there, &wanted) != 2;
}

/* By a short jump in the code from `addr` on, which is not the function's. */
static bool is_jumped_to_from(const struct past *p, u64 addr)
{
	u64 off = p->f->sym->file_off + (addr - p->f->sym->addr);
	u8 code[ARCH_REACH_NEAR_MOST + ARCH_REACH_BYTES] = { 0 };
	ssize_t n = codefile_read(p->f->file, code, ARCH_REACH_NEAR_MOST, off);

	for (ssize_t i = 0; i < n; i++) {
		u64 to;

		if (arch_reach(code + i, addr + i, &to) == ARCH_REACH_NEAR && is_start(p, to) &&
		    is_instruction(p, addr + i))
			return true;
	}
	return n < 0;
}

static bool is_jumped_to_from_near(const struct past *p)
{
	const struct elfsym *f = p->f->sym;

	return f->file_off < ARCH_REACH_NEAR_MOST ||
	       is_jumped_to_from(p, f->addr - ARCH_REACH_NEAR_MOST) ||
	       (f->size < ARCH_REACH_NEAR_MOST && is_jumped_to_from(p, f->addr + f->size));
}

/* A jump out of the function, and the end of it, are places of its return as well. */
static bool stays_within(const struct elfsym *f, const u8 *code, size_t n, u32 past)
{
	struct arch_insn in;

	if (!arch_insn_read(code + past, n - past, f->addr + past, &in) ||
	    past + in.len >= f->size)
		return false;
	if (in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH)
		return in.to - f->addr < f->size;
	return in.flow == ARCH_NEXT || in.flow == ARCH_CALL;
}

bool user_by_kernel(struct dtx_env *env)
{
	const char *s = opt_text(env, OPT_ureturn);

	return s && !strcmp(s, "kernel");
}

struct user_past user_past_wanted(struct dtx_env *env, const struct user_function *f)
{
	struct elfsyms *syms = codefile_symbols(f->file);
	u8 code[PAST_BYTES] = { 0 };     /* and what follows, if the function has fewer */
	struct user_past past = { 0 };

	if (env->listing || !syms || elfsyms_32bit(syms) || user_by_kernel(env) ||
	    codefile_read(f->file, code, sizeof(code), f->sym->file_off) <= 0)
		return past;
	past.bytes = arch_past_entry(code, sizeof(code), &past.starts);
	if (past.bytes && !stays_within(f->sym, code, sizeof(code), past.bytes))
		past.bytes = 0;
	return past;
}

bool user_past_allowed(struct dtx_env *env, const struct user_function *f,
		       const struct user_past *past)
{
	struct past p = { env, f, past->starts };

	return !elfsyms_has_inside(codefile_symbols(f->file), f->sym->addr, past->bytes + 1) &&
	       !is_jumped_to_from_near(&p) && !is_jumped_to(&p) &&
	       !user_others(env, f->where->path, f->sym->file_off);
}

bool user_may_be_jumped_to(struct dtx_env *env, const char *path, u64 addr, u64 off)
{
	const struct user_jumps *j = jumps_of(env, path);
	u64 back = MIN(off, (u64)ARCH_REACH_NEAR_MOST);
	u8 code[2 * ARCH_REACH_NEAR_MOST + ARCH_REACH_BYTES] = { 0 };
	ssize_t n = codefile_read(user_code(env, path), code, back + ARCH_REACH_NEAR_MOST,
				  off - back);

	for (ssize_t i = 0; i < n; i++) {
		u64 to;

		if (arch_reach(code + i, addr - back + i, &to) == ARCH_REACH_NEAR && to == addr)
			return true;
	}
	return n < 0 || may_be_target(j, addr);
}

/* ---- what the clauses read ------------------------------------------------------------------- */

/* Stacks are walked from the entry on (DTX_WALK_PAST), if the program knows its probes. */
void user_for_needs(struct dtx_env *env, struct dtx_probe *p, u32 needs)
{
	if (needs & (NEED_REGS | NEED_PC) || (needs & NEED_USTACK && p->late))
		p->place.past = 0;
}

/* Debugging information may say that an argument is in a register that changes. */
void user_past_args(struct dtx_probe *p, bool (*keeps)(u32 off))
{
	for (u32 i = 0; i < p->args.n; i++) {
		const struct dtx_arg *a = &p->args.v[i];
		bool kept = a->loc != LOC_REG || keeps((u32)a->off);

		if (a->loc == LOC_USERMEM)
			kept = (a->slot == DTX_NO_REG || keeps(8u * a->slot)) &&
			       (a->index == DTX_NO_REG || keeps(8u * a->index));
		for (u32 k = 0; k < a->steps.n; k++)
			kept &= a->steps.v[k].op != STEP_REG || keeps((u32)a->steps.v[k].n);
		if (!kept)
			p->place.past = 0;
	}
}

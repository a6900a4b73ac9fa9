/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userzone.c - places where a probe would change what the program computes: nops of five bytes that
 * the kernel replaces by a call, in functions that keep values where the call writes; what an
 * exclusive store takes for another's access; and instructions that do something else where the
 * kernel runs them.
 * Why: docs/decisions/51-nops-that-become-calls.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"

#define AROUND (64 * ARCH_INSN_MAX)      /* bytes on both sides of a place */

static bool function_has_zone(struct codefile *file, const struct elfsym *f)
{
	u8 *code = insn_bytes(file, f->file_off, f->size);
	bool has = !code || arch_has_red_zone(code, f->size);

	free(code);
	return has;
}

static bool comes_back(struct dtx_env *env, struct codefile *file, const struct elfsym *f)
{
	struct code_ways *ways = &user_ends_cache(env)->ways;

	code_turns(file, f, false, 0, ways);
	return ways->turns.n;
}

/* At its entry nothing is below the stack pointer yet, if no loop comes back there. */
static bool writes_to_zone(struct dtx_env *env, struct codefile *file, u64 off)
{
	struct elfsyms *syms = codefile_symbols(file);
	u64 addr = syms ? elfsyms_vaddr(syms, off) : ~0ull;
	const struct elfsym *f = addr != ~0ull ? elfsyms_at(syms, addr) : NULL;

	if (!f || addr - f->addr >= f->size)
		return true;                     /* nobody knows the function */
	return (addr != f->addr || comes_back(env, file, f)) && function_has_zone(file, f);
}

/* As UNFIT_…, 0: it is fit.  Of instructions of several lengths the first ones may be read wrongly:
 * it is far enough. */
static u8 unfit_at(struct codefile *file, u64 off)
{
	u8 code[2 * AROUND];
	u64 before = MIN(off, (u64)AROUND);
	ssize_t n = codefile_read(file, code, sizeof(code), off - before);
	u8 *marks = n > (ssize_t)before ? insn_unfit(code, (u64)n) : NULL;
	u8 what = marks ? marks[before] : 0;

	free(marks);
	return what;
}

static const char *place_harms(struct dtx_env *env, struct codefile *file, u64 off)
{
	u8 code[ARCH_INSN_MAX] = { 0 }, unfit;
	u32 len;

	if (codefile_read(file, code, sizeof(code), off) <= 0)
		return NULL;
	len = arch_insn_len(code, sizeof(code));
	if (len && arch_becomes_call(code, len) && sys_nops_become_calls() &&
	    writes_to_zone(env, file, off))
		return "this kernel replaces the nop of five bytes there by a call, which would "
		       "overwrite what the function keeps below its stack pointer: the program "
		       "would compute something else";
	if (len && !arch_insn_probed(code, len))
		return "the instruction there must run in its own place, and the kernel would run "
		       "it elsewhere";
	unfit = ARCH_UNFIT_CODE ? unfit_at(file, off) : 0;
	if (unfit == UNFIT_DATA)
		return "what lies there is data that an instruction reads";
	if (unfit)
		return "it is between an exclusive load and its store, and with a probe the store "
		       "would never succeed: the program would begin anew for ever";
	return NULL;
}

/* The file of the last probe: most have the one of that before them, which is asked for once. */
struct last {
	const char *path;
	struct codefile *file;
};

static const char *harms(struct dtx_env *env, struct last *last, const struct dtx_probe *p)
{
	const char *path = p->place.target;

	if (!path || !strcmp(p->name, "return"))         /* the walk knows them */
		return NULL;
	if (!last->path || strcmp(last->path, path))
		*last = (struct last){ path, user_code(env, path) };
	return place_harms(env, last->file, user_probed(p));
}

u32 user_drop_harmful(struct attach *at, const struct dtx_probe **probes, u64 *cookies, u32 n)
{
	struct last last = { NULL, NULL };
	u32 kept = 0;

	for (u32 i = 0; i < n; i++) {
		const char *why = harms(at->env, &last, probes[i]);

		if (why) {
			attach_refuse(at, probes[i], "%s", why);
			continue;
		}
		if (cookies)
			cookies[kept] = cookies[i];
		probes[kept++] = probes[i];
	}
	return kept;
}

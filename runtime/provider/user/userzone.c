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

static bool function_has_zone(int fd, const struct elfsym *f)
{
	u8 *code = insn_bytes(fd, f->file_off, f->size);
	bool has = !code || arch_has_red_zone(code, f->size);

	free(code);
	return has;
}

static bool comes_back(struct dtx_env *env, const char *path, const struct elfsym *f)
{
	struct code_ways *ways = &user_ends_cache(env)->ways;

	code_turns(user_code(env, path), f, false, 0, ways);
	return ways->turns.n;
}

/* At its entry nothing is below the stack pointer yet, if no loop comes back there. */
static bool writes_to_zone(struct dtx_env *env, const char *path, u64 off)
{
	struct elfsyms *syms = user_symbols(env, path);
	int fd = codefile_fd(user_code(env, path));
	u64 addr = syms ? elfsyms_vaddr(syms, off) : ~0ull;
	const struct elfsym *f = addr != ~0ull ? elfsyms_at(syms, addr) : NULL;

	if (!f || addr - f->addr >= f->size)
		return true;                     /* nobody knows the function */
	return (addr != f->addr || comes_back(env, path, f)) && function_has_zone(fd, f);
}

/* As UNFIT_…, 0: it is fit.  Of instructions of several lengths the first ones may be read wrongly:
 * it is far enough. */
static u8 unfit_at(int fd, u64 off)
{
	u8 code[2 * AROUND];
	u64 before = MIN(off, (u64)AROUND);
	ssize_t n = pread(fd, code, sizeof(code), (off_t)(off - before));
	u8 *marks = n > (ssize_t)before ? insn_unfit(code, (u64)n) : NULL;
	u8 what = marks ? marks[before] : 0;

	free(marks);
	return what;
}

static const char *place_harms(struct dtx_env *env, const char *path, u64 off)
{
	int fd = codefile_fd(user_code(env, path));
	u8 code[ARCH_INSN_MAX] = { 0 }, unfit;
	u32 len;

	if (pread(fd, code, sizeof(code), (off_t)off) <= 0)
		return NULL;
	len = arch_insn_len(code, sizeof(code));
	if (len && arch_becomes_call(code, len) && sys_nops_become_calls() &&
	    writes_to_zone(env, path, off))
		return "this kernel replaces the nop of five bytes there by a call, which would "
		       "overwrite what the function keeps below its stack pointer: the program "
		       "would compute something else";
	if (len && !arch_insn_probed(code, len))
		return "the instruction there must run in its own place, and the kernel would run "
		       "it elsewhere";
	unfit = ARCH_UNFIT_CODE ? unfit_at(fd, off) : 0;
	if (unfit == UNFIT_DATA)
		return "what lies there is data that an instruction reads";
	if (unfit)
		return "it is between an exclusive load and its store, and with a probe the store "
		       "would never succeed: the program would begin anew for ever";
	return NULL;
}

static const char *harms(struct dtx_env *env, const struct dtx_probe *p)
{
	return p->place.target && strcmp(p->name, "return") ?    /* the walk knows them */
	       place_harms(env, p->place.target, user_probed(p)) : NULL;
}

u32 user_drop_harmful(struct attach *at, const struct dtx_probe **probes, u64 *cookies, u32 n)
{
	u32 kept = 0;

	for (u32 i = 0; i < n; i++) {
		const char *why = harms(at->env, probes[i]);

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

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userzone.c - places where a probe would change what the program computes: nops of five bytes that
 * the kernel replaces by a call, in functions that keep values where the call writes.
 * Why: docs/decisions/51-nops-that-become-calls.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"
#include "runtime/provider/user/codewalk.h"

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

static bool place_harms(struct dtx_env *env, const char *path, u64 off)
{
	u8 code[ARCH_INSN_MAX] = { 0 };
	u32 len;

	if (pread(codefile_fd(user_code(env, path)), code, sizeof(code), (off_t)off) <= 0)
		return false;
	len = arch_insn_len(code, sizeof(code));
	return len && arch_becomes_call(code, len) && sys_nops_become_calls() &&
	       writes_to_zone(env, path, off);
}

static bool harms(struct dtx_env *env, const struct dtx_probe *p)
{
	return p->place.target && strcmp(p->name, "return") &&   /* they are at no nops */
	       place_harms(env, p->place.target, user_probed(p));
}

u32 user_drop_harmful(struct attach *at, const struct dtx_probe **probes, u64 *cookies, u32 n)
{
	u32 kept = 0;

	for (u32 i = 0; i < n; i++) {
		if (harms(at->env, probes[i])) {
			attach_refuse(at, probes[i], "this kernel replaces the nop of five bytes "
				      "there by a call, which would overwrite what the function "
				      "keeps below its stack pointer: the program would compute "
				      "something else");
			continue;
		}
		if (cookies)
			cookies[kept] = cookies[i];
		probes[kept++] = probes[i];
	}
	return kept;
}

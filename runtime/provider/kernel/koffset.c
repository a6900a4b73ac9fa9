/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * koffset.c - places inside kernel functions: fbt:MODULE:FUNCTION:0x1d (kprobe:f+0x1d).  A number
 * without 0x is a line of the source (kernline.c).
 *
 * The function's code is read from /proc/kcore: an offset inside an instruction is not listed, and
 * the message names the nearest ones.  If the code cannot be read (lockdown), or a probe of
 * somebody else hides it, the offset is listed and the kernel decides; it decodes the function
 * itself before it sets a probe.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/feat.h>
#include <dtx/kind.h>
#include <dtx/arch.h>

#include "runtime/code/names.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"

static const char cache_key[] = "koffset";     /* of prov_cache() */

#define KCORE    "/proc/kcore"   /* of this machine: a description has no code */
#define CODE_MAX (1u << 20)      /* bytes of a function */
#define NEAR                                                                                  \
	(32u << 20) /* the code of the kernel is not larger; that of probes is in the area of \
		       modules */
#define OFFSETS  700000          /* ids start at the provider's base + this, in order of first
				  * use */

struct place {
	u64 wanted, size;        /* size: of the function, 0: no such function */
	const char *mod;
	u64 before, after;       /* the instructions around `wanted`, if none begins there */
	bool bad;                /* the code was read and no instruction begins there */
	u32 functions;           /* of this name: nobody knows which is meant, if not 1 */
};

/* ---- the code of the running kernel ---------------------------------------------------------- */

/* Offset of an address in kcore; 0: not there. */
static off_t kcore_offset(int fd, u64 addr)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh))
		return 0;
	for (u32 i = 0; i < eh.e_phnum; i++) {
		if (pread(fd, &ph, sizeof(ph), (off_t)(eh.e_phoff + i * sizeof(ph))) != sizeof(ph))
			return 0;
		if (ph.p_type == PT_LOAD && addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_memsz)
			return (off_t)(ph.p_offset + (addr - ph.p_vaddr));
	}
	return 0;
}

static u8 *read_code(u64 addr, u64 size)
{
	int fd = size && size <= CODE_MAX ? open(KCORE, O_RDONLY | O_CLOEXEC) : -1;
	off_t at = fd >= 0 ? kcore_offset(fd, addr) : 0;
	u8 *code = at ? xcalloc(1, size + 8) : NULL;

	file_note_passing();
	if (code && pread(fd, code, size, at) != (ssize_t)size) {
		free(code);
		code = NULL;
	}
	if (fd >= 0)
		close(fd);
	return code;
}

/* A breakpoint, or a jump to the kernel's code for probes. */
static bool is_probe(struct dtx_env *env, const u8 *code, u64 addr)
{
	const char *name, *mod;
	u64 to, off;

	if (!arch_insn_replaced(code, addr, &to))
		return false;
	if (to && ksyms_find(ksyms_get(env), to, &name, &mod, &off))
		return !strncmp(name, "kprobe_", 7);
	return !to || to - addr + NEAR > 2 * NEAR;       /* not to the kernel's own thunks */
}

static void walk_code(struct dtx_env *env, struct place *p, const u8 *code, u64 addr)
{
	bool ended = false;              /* padding follows, breakpoints for example */

	for (u64 off = 0; off < p->size;) {
		u32 len = arch_insn_len(code + off, p->size - off);

		if (off == p->wanted || !len || (!ended && is_probe(env, code + off, addr + off)))
			return;
		ended = arch_insn_ends(code + off);
		p->before = off;
		off += len;
		p->after = off;
		p->bad = off > p->wanted;
		if (p->bad)
			return;
	}
}

static struct place examine(struct dtx_env *env, const struct dtx_pattern *pat, u64 wanted)
{
	struct place p = { .wanted = wanted };
	struct ksyms *k = ksyms_get(env);
	u64 addr = ksyms_addr(k, pat->mod, pat->func), end = addr ? ksyms_next(k, addr) : 0;
	const char *name;
	u64 off;
	u8 *code;

	if (end <= addr || !ksyms_find(k, addr, &name, &p.mod, &off))
		return p;
	p.functions = kattach_functions(env, p.mod, pat->func);
	p.size = end - addr;
	p.bad = wanted >= p.size;
	code = p.bad || !machine_is_here(env) ? NULL : read_code(addr, p.size);
	if (code)
		walk_code(env, &p, code, addr);
	free(code);
	return p;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static bool names_place(const struct dtx_pattern *pat, const struct dtx_provider *of, u64 *off)
{
	return !strcmp(pat->prov, of->name) && *pat->func &&
	       !glob_is_pattern(pat->func) && (!*pat->mod || !glob_is_pattern(pat->mod)) &&
	       !strncmp(pat->name, "0x", 2) && prov_offset(pat->name + 2, off);
}

struct prov_made **koffset_made(struct dtx_env *env)
{
	return prov_cache(env, cache_key, sizeof(struct prov_made *));
}

void koffset_kind(struct dtx_env *env, struct dtx_probe *p, bool many, bool ret)
{
	if (many)
		p->prog.kind = ret ? PK_KRETPROBE_MULTI : PK_KPROBE_MULTI;
	else
		p->prog.kind = ret ? PK_KRETPROBE : PK_KPROBE;
	p->prog.ident = many ? IDENT_COOKIE : perf_ident(env);
}

struct dtx_probe *koffset_probe(struct dtx_env *env, const struct dtx_provider *of,
				const struct koffset *k)
{
	struct prov_made **made = koffset_made(env);
	u32 id = prov_base(of) + OFFSETS +
		 prov_made(env, made, arena_printf(env->arena, "%s:%s:%s", k->mod, k->func,
						   k->name));
	struct dtx_probe *p = prov_probe(env, of, (struct probe_name){
		id, of->name, k->mod, k->func, k->name
	});

	p->place.target = arena_strdup(env->arena, k->symbol);
	p->place.off = k->off;
	p->place.num = KATTACH_PLACE;
	koffset_kind(env, p, false, false);
	return p;
}

int koffset_list(struct dtx_env *env, const struct dtx_pattern *pat, const struct dtx_provider *of,
		 bool *handled, dtx_probe_fn *each, void *arg)
{
	struct place at;
	u64 off;

	*handled = names_place(pat, of, &off);
	if (!*handled || !env_has(env, FEAT_KPROBE))
		return 0;
	at = examine(env, pat, off);
	if (!at.size || at.bad || at.functions > 1)
		return 0;
	if (!machine_is_here(env))
		diag_warn(&env->diags, DIAG_NONE, (struct range){ 0 },
			  "whether an instruction begins at %s+0x%llx is seen when the program is "
			  "loaded: a description has no code, and %s is described", pat->func,
			  (unsigned long long)off, machine_name(env));
	return each(arg, koffset_probe(env, of, &(struct koffset){
		at.mod, arena_strdup(env->arena, pat->func),
		arena_printf(env->arena, "0x%llx", (unsigned long long)off), pat->func, off }));
}

const char *koffset_advise(struct dtx_env *env, const struct dtx_pattern *pat,
			   const struct dtx_provider *of)
{
	struct place at;
	u64 off;

	if (!names_place(pat, of, &off))
		return NULL;
	if (!env_has(env, FEAT_KPROBE) && env_perf_denied(env))
		return PROV_PERF_DENIED;
	if (!env_has(env, FEAT_KPROBE))
		return "probes inside kernel functions need kprobes (CONFIG_KPROBE_EVENTS), which "
		       "this kernel does not offer here";
	at = examine(env, pat, off);
	if (!at.size)
		return arena_printf(env->arena, "the kernel has no function '%s'%s%s", pat->func,
				    *pat->mod ? " in " : "", pat->mod);
	if (at.functions > 1)
		return arena_printf(env->arena,
				    "the kernel has %u functions of this name, so '%s+0x%llx' is "
				    "not one place", at.functions, pat->func,
				    (unsigned long long)off);
	return prov_off_advice(env, pat, off, at.size, at.before, at.after);
}

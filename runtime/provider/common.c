/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * common.c - what providers have in common: matching a pattern, making a probe, what they keep in
 * an environment, naming a group of probes, explaining a failed attach.  It knows no provider.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/env.h>
#include <dtx/opt.h>
#include <dtx/progkind.h>

#include "runtime/proc/proc.h"
#include "runtime/provider/attach.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"

/* ---- the names of providers.def ---------------------------------------------------------- */

static const struct { const char *name; u32 base; } rows[] = {
#define PROVIDER(name, base) { #name, base },
#include <dtx/tables/providers.def>
#undef PROVIDER
};

u32 prov_base(const struct dtx_provider *p)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(rows) - 1 && strcmp(rows[i].name, p->name); i++)
		;
	return rows[i].base;
}

u32 prov_base_of(u32 id)
{
	u32 best = 0;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].base <= id && rows[i].base > best)
			best = rows[i].base;
	return best;
}

bool prov_begins(const char *name, size_t len)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strncmp(rows[i].name, name, len))
			return true;
	return false;
}

bool prov_is_pid(const char *name)
{
	return !strncmp(name, "pid", 3) && name[3] && !name[3 + strspn(name + 3, "0123456789")];
}

bool prov_is(const char *name)
{
	return prov_begins(name, strlen(name) + 1) || !strcmp(name, "sdt") || prov_is_pid(name);
}

/* ---- probes ------------------------------------------------------------------------------ */

bool prov_named(const struct dtx_pattern *p, const char *name)
{
	return glob_matches(p->prov, name);
}

bool prov_wants(const struct dtx_pattern *p, u32 id, const char *mod, const char *func,
		const char *name)
{
	if (p->id && p->id != id)
		return false;
	return glob_matches(p->name, name) && glob_matches(p->func, func) &&
	       glob_matches(p->mod, mod);
}

struct arena *prov_arena(const struct dtx_env *env)
{
	return env->building ? env->building : env->arena;
}

struct dtx_probe *prov_probe(struct dtx_env *env, const struct dtx_provider *of,
			     struct probe_name name)
{
	struct arena *a = prov_arena(env);
	struct dtx_probe *p = ARENA_NEW(a, struct dtx_probe);

	p->provider = of;
	p->id = name.id;
	p->prov = plain_name(a, name.prov);
	p->mod = plain_name(a, name.mod);
	p->func = plain_name(a, name.func);
	p->name = plain_name(a, name.name);
	p->args.ret = -1;
	p->args.takes = -1;
	return p;
}

struct dtx_arg *prov_args(struct dtx_env *env, struct dtx_probe *p, u32 n)
{
	p->args.v = n ? ARENA_ARRAY(env->arena, struct dtx_arg, n) : NULL;
	p->args.n = n;
	return p->args.v;
}

bool prov_offset(const char *name, u64 *off)
{
	char *end;

	if (!*name || name[strspn(name, "0123456789abcdefABCDEF")])
		return false;
	*off = strtoull(name, &end, 16);
	return true;
}

const char *prov_off_advice(struct dtx_env *env, const struct dtx_pattern *pat, u64 off, u64 size,
			    u64 before, u64 after)
{
	if (off >= size)
		return arena_printf(env->arena, "%s has only 0x%llx bytes", pat->func,
				    (unsigned long long)size);
	return arena_printf(env->arena,
			    "no instruction of %s begins at %s; the nearest begin at %llx "
			    "and %llx (hexadecimal)",
			    pat->func, pat->name, (unsigned long long)before,
			    (unsigned long long)after);
}

/* ---- what the files keep in an environment --------------------------------------------- */

struct prov_kept {
	struct prov_kept *next;
	const char *key;
	void *memory;            /* NULL: forgotten */
	void (*free)(struct dtx_env *);          /* what it has on the heap; NULL: nothing */
};

static struct prov_kept *kept_find(const struct dtx_env *env, const char *key)
{
	struct prov_kept *k = env->kept;

	while (k && k->key != key)
		k = k->next;
	return k;
}

void *prov_kept(struct dtx_env *env, const char *key)
{
	struct prov_kept *k = kept_find(env, key);

	return k ? k->memory : NULL;
}

bool prov_follows(const struct dtx_env *env)
{
	return opt_num(env, OPT_follow);
}

void prov_forget(struct dtx_env *env, const char *key)
{
	struct prov_kept *k = kept_find(env, key);

	if (k)
		k->memory = NULL;
}

static void kept_free(struct dtx_env *env)
{
	for (struct prov_kept *k = env->kept; k; k = k->next)
		if (k->free)
			k->free(env);
	env->kept = NULL;
}

void *prov_cache_heap(struct dtx_env *env, const char *key, size_t size,
		      void (*free)(struct dtx_env *))
{
	struct prov_kept *k = kept_find(env, key);

	if (!k) {
		k = ARENA_NEW(env->arena, struct prov_kept);
		k->key = key;
		k->next = env->kept;
		env->kept = k;
		k->free = free;
		env->prov_free = kept_free;
	}
	if (!k->memory)
		k->memory = arena_alloc(env->arena, size);
	return k->memory;
}

void *prov_cache(struct dtx_env *env, const char *key, size_t size)
{
	return prov_cache_heap(env, key, size, NULL);
}

/* ---- probes made on demand ------------------------------------------------------------- */

struct prov_made {
	struct prov_made *next;
	const char *text;
};

u32 prov_made(struct dtx_env *env, struct prov_made **list, const char *text)
{
	u32 n = 0;

	for (; *list; list = &(*list)->next, n++)
		if (!strcmp((*list)->text, text))
			return n;
	*list = ARENA_NEW(env->arena, struct prov_made);
	(*list)->text = arena_strdup(env->arena, text);
	return n;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Field k of all probes as one text: itself when equal, else the common start and '*'. */
static const char *common_field(struct arena *a, const struct dtx_probe **p, u32 n, u32 k)
{
	const char *first = NULL;
	size_t len = 0;
	bool differ = false;

	for (u32 i = 0; i < n; i++) {
		const char *f[] = { p[i]->prov, p[i]->mod, p[i]->func, p[i]->name };

		if (!first) {
			first = f[k];
			len = strlen(first);
		}
		if (!strcmp(first, f[k]))
			continue;
		differ = true;
		for (size_t j = 0; j < len; j++)
			if (first[j] != f[k][j])
				len = j;
	}
	return differ ? arena_printf(a, "%.*s*", (int)len, first) : first;
}

const char *prov_common(struct arena *a, const struct dtx_probe **p, u32 n)
{
	return arena_printf(a, "%s:%s:%s:%s", common_field(a, p, n, 0), common_field(a, p, n, 1),
			    common_field(a, p, n, 2), common_field(a, p, n, 3));
}

const char *prov_why(int err)
{
	static const struct {
		int err; const char *why;
	} words[] = {
		{ EPERM, "the kernel does not allow it (root, or CAP_BPF and CAP_PERFMON, is "
			 "needed; lockdown may forbid it)" },
		{ EACCES, "the kernel does not allow it (root, or CAP_BPF and CAP_PERFMON, is "
			  "needed)" },
		{ ENOENT, "it no longer exists" },
		{ ESRCH, "the kernel does not find a function of this name that can be traced" },
		{ EINVAL, "the kernel refuses this place (it is protected from probing, or no "
			  "instruction that can be probed begins there)" },
		{ EILSEQ, "no instruction begins at this place" },
		{ EADDRNOTAVAIL, "the name stands for several functions; give the module" },
		{ EBUSY, "this function is in use by live patching or another tracer" },
		{ E2BIG, "too many programs are attached to it already" },
		{ EEXIST, "it is attached already" },
		{ ESTALE, "another file has its path since its functions were looked up; run dtx "
			  "again" },
		{ EOPNOTSUPP, "the kernel cannot probe this kind of code" },
		{ ENOMEM, "the kernel is out of memory for probes" },
		{ EMFILE, "too many open files; raise the limit with 'ulimit -n'" },
		{ ENOEXEC, "the object is not a program the kernel can probe" },
	};

	if (err == -EACCES && rights_perf_denied())
		return PROV_PERF_DENIED;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].err == -err)
			return words[i].why;
	return strerror(-err);
}

/* Blanks and escapes: of modules that somebody wants to be misread. */
static bool is_odd_name(const char *name)
{
	return name && name[name_span(name, ".$")];
}

const char *prov_why_of(const struct dtx_probe *p, int err)
{
	bool gone = err == -ESRCH && p->place.pid > 0 && !proc_exists(p->place.pid);
	bool by_name = kind_is(p->prog.kind, KIND_KERNEL) && (err == -ENOENT || err == -ESRCH);

	/* By its address (kattach.c), which is in the list of symbols but not in ftrace's. */
	if (by_name && p->place.sym && err == -ENOENT)
		return "several functions have this name, and the kernel cannot trace this one";
	if (by_name && is_odd_name(p->place.target))
		return "the kernel finds functions by name, and takes no name with such characters";
	return gone ? "its process has ended" : prov_why(err);
}

/* ---- names for a message ----------------------------------------------------------------- */

#define FEW 4

void few_add(struct few_names *f, const char *name)
{
	buf_printf(&f->names, "%s%s", f->n ? ", " : "", name);
	if (++f->n == FEW)
		f->cut = f->names.len;
}

const char *few_text(struct few_names *f, bool all)
{
	if (!all && f->n > FEW + 1) {
		f->names.len = f->cut;
		buf_printf(&f->names, " and %u more (-v names them all)", f->n - FEW);
	}
	return f->names.data;
}

void few_free(struct few_names *f)
{
	buf_free(&f->names);
	f->n = 0;
}

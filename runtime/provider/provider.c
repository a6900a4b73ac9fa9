/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.c - the table of providers, and their common functions: matching a pattern, making
 * a probe, naming a group of probes, explaining a failed attach.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/progkind.h>

#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"

#define PROVIDER(name, base) extern const struct dtx_provider provider_##name;
#include <dtx/tables/providers.def>
#undef PROVIDER

const struct dtx_provider *const dtx_providers[] = {
#define PROVIDER(name, base) &provider_##name,
#include <dtx/tables/providers.def>
#undef PROVIDER
	NULL
};

#define NPROVIDERS (ARRAY_SIZE(dtx_providers) - 1)

static const u32 bases[NPROVIDERS] = {
#define PROVIDER(name, base) base,
#include <dtx/tables/providers.def>
#undef PROVIDER
};

u32 prov_base(const struct dtx_provider *p)
{
	u32 i;

	for (i = 0; i < NPROVIDERS - 1 && dtx_providers[i] != p; i++)
		;
	return bases[i];
}

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

struct dtx_probe *prov_probe(struct dtx_env *env, const struct dtx_provider *of,
			     struct probe_name name)
{
	struct dtx_probe *p = ARENA_NEW(env->arena, struct dtx_probe);

	p->provider = of;
	p->id = name.id;
	p->prov = plain_name(env->arena, name.prov);
	p->mod = plain_name(env->arena, name.mod);
	p->func = plain_name(env->arena, name.func);
	p->name = plain_name(env->arena, name.name);
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
};

/* Heap memory of prov_cache. */
static void provider_cleanup(struct dtx_env *env)
{
	kattach_cleanup(env);
	user_cleanup(env);
	env->kept = NULL;
}

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

void prov_forget(struct dtx_env *env, const char *key)
{
	struct prov_kept *k = kept_find(env, key);

	if (k)
		k->memory = NULL;
}

void *prov_cache(struct dtx_env *env, const char *key, size_t size)
{
	struct prov_kept *k = kept_find(env, key);

	if (!k) {
		k = ARENA_NEW(env->arena, struct prov_kept);
		k->key = key;
		k->next = env->kept;
		env->kept = k;
		env->prov_free = provider_cleanup;
	}
	if (!k->memory)
		k->memory = arena_alloc(env->arena, size);
	return k->memory;
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

/* A name with a process id, "pid123": made on demand by the provider `pid`. */
static bool is_pid_name(const char *name)
{
	return !strncmp(name, "pid", 3) && name[3] && !name[3 + strspn(name + 3, "0123456789")];
}

const struct dtx_provider *provider_by_name(const char *name)
{
	for (u32 i = 0; i < NPROVIDERS; i++)
		if (!strcmp(dtx_providers[i]->name, name))
			return dtx_providers[i];
	if (!strcmp(name, "sdt"))
		return &provider_tracepoint;
	return is_pid_name(name) ? &provider_pid : NULL;
}

/* Base of the id range of `id`; 0: none. */
static u32 base_of(u32 id)
{
	u32 best = 0;

	for (u32 i = 0; i < NPROVIDERS; i++)
		if (bases[i] <= id && bases[i] > best)
			best = bases[i];
	return best;
}

/* BEGIN, END and ERROR alone belong to dtrace (D guide): other providers are not asked. */
static bool is_reserved(const struct dtx_pattern *p)
{
	return !*p->prov && !*p->mod && !*p->func && !p->id &&
	       (!strcmp(p->name, "BEGIN") || !strcmp(p->name, "END") || !strcmp(p->name, "ERROR"));
}

int provider_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	if (is_reserved(pat))
		return provider_dtrace.list(env, pat, each, arg);
	for (u32 i = 0; i < NPROVIDERS; i++) {
		int err;

		if (pat->id && base_of(pat->id) != bases[i])
			continue;
		err = dtx_providers[i]->list(env, pat, each, arg);
		if (err)
			return err;
	}
	return 0;
}

const char *provider_missing(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *why = NULL;

	for (u32 i = 0; i < NPROVIDERS && !why; i++) {
		const struct dtx_provider *p = dtx_providers[i];

		if (p->missing && *pat->prov && glob_matches(pat->prov, p->name))
			why = p->missing(env);
		if (!why && p->advise)
			why = p->advise(env, pat);
	}
	if (!why && !machine_is_here(env))       /* no program runs where it is described */
		why = usdt_absent(env, pat);
	why = why ? why : stable_absent(env, pat);
	return why ? why : usdt_absent(env, pat);
}

int provider_args(struct dtx_env *env, struct dtx_probe *p, enum args_state want)
{
	int err = 0;

	want = p->place.user_ctx ? want : ARGS_TYPED;
	if (p->args.state >= want)
		return 0;
	p->args.state = want;
	if (p->stable)
		err = stable_args(env, p);
	else if (p->provider->args)
		err = p->provider->args(env, p);
	return err < 0 ? err : 1;
}

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

const char *prov_why_of(const struct dtx_probe *p, int err)
{
	bool gone = err == -ESRCH && p->place.pid > 0 && !proc_exists(p->place.pid);

	/* By its address (kattach.c), which is in the list of symbols but not in ftrace's. */
	if (kind_is(p->prog.kind, KIND_KERNEL) && p->place.sym && err == -ENOENT)
		return "several functions have this name, and the kernel cannot trace this one";
	return gone ? "its process has ended" : prov_why(err);
}

const char *provider_stability(const char *provider, u32 field)
{
	static const struct { const char *providers, *of[STAB_N]; } rows[] = {
#define STABILITY(providers, ...) { providers, { __VA_ARGS__ } },
#include <dtx/tables/stability.def>
#undef STABILITY
	};
	char word[80];
	u32 i;

	snprintf(word, sizeof(word), " %s ", provider);
	for (i = 0; rows[i].providers[0]; i++)
		if (strstr(rows[i].providers, word))
			break;
	return rows[i].of[field];
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

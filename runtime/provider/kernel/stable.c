/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stable.c - DTrace's stable providers: probes that are rows of stable.def.
 *
 * A row has the places of a stable probe (probes of other providers), a condition, and the
 * arguments as D text over the arguments of that place.  The listed probe is the base probe
 * under another name, and the provider of the base attaches it; the compiler puts the condition
 * before the predicate, and replaces args[] by the text (check_stable.c).
 * Why: docs/decisions/20-stable-probes.md
 */
#include <errno.h>
#include <linux/perf_event.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>

#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

enum row_kind { ROW_PROBE, ROW_FROM, ROW_OR, ROW_END };

struct row {
	enum row_kind kind;
	const char *prov, *name, *sig, *doc;     /* ROW_PROBE */
	const char *base;                        /* ROW_FROM, ROW_OR: descriptions, by commas */
	const char *args, *when, *help, *after;
	bool switches;
};

static const struct row rows[] = {
#define PROBE(prov, name, sig, doc) \
	{ ROW_PROBE, prov, name, sig, doc, NULL, NULL, NULL, NULL, false },
#define FROM(...)                    { .kind = ROW_FROM, .base = __VA_ARGS__ },
#define OR(...)                      { .kind = ROW_OR, .base = __VA_ARGS__ },
#include <dtx/tables/stable.def>
#undef PROBE
#undef FROM
#undef OR
	{ .kind = ROW_END },
};

/* Is the text one of the words, which are globs? */
static bool one_of(struct dtx_env *env, const char *words, const char *text)
{
	size_t len;

	for (; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		if (glob_matches(arena_strndup(env->arena, words, len), text))
			return true;
	}
	return false;
}

const char *stable_absent(struct dtx_env *env, const struct dtx_pattern *pat)
{
	static const struct { const char *prov, *name, *why; } absent[] = {
#define PROBE(...)
#define FROM(...)
#define OR(...)
#define ABSENT(prov, name, why)      { prov, name, why },
#include <dtx/tables/stable.def>
#undef PROBE
#undef FROM
#undef OR
	};

	for (u32 i = 0; i < ARRAY_SIZE(absent); i++)
		if (one_of(env, absent[i].prov, pat->prov) &&
		    one_of(env, absent[i].name, pat->name))
			return absent[i].why;
	return NULL;
}

/* ---- places ------------------------------------------------------------------------------ */

static int take_first(void *arg, struct dtx_probe *p)
{
	*(struct dtx_probe **)arg = p;
	return 1;
}

/* Tracepoints without an event in tracefs (their names end in _tp) are known only by BTF. */
static struct dtx_probe *bare_rawtp(struct dtx_env *env, const char *name)
{
	struct dtx_probe *p;
	u32 obj, id = tpevents_btf(env, name, &obj);

	if (!id)
		return NULL;
	p = prov_probe(env, &provider_rawtp, (struct probe_name){ 0, "rawtp", "", "", name });
	p->place.target = name;
	tpevents_kind_of(env, p, false, id, obj);
	return p;
}

static struct dtx_probe *base_find(struct dtx_env *env, const char *text)
{
	struct dtx_probe *p = NULL;
	struct dtx_pattern pat;
	const char *err;

	if (provider_parse(env->arena, text, 4, &pat, &err))
		return NULL;
	provider_by_name(pat.prov)->list(env, &pat, take_first, &p);
	if (!p && !strcmp(pat.prov, "rawtp"))
		p = bare_rawtp(env, pat.name);
	return p;
}

static bool has_arg(const struct dtx_probe *p, const char *name, size_t len)
{
	for (u32 i = 0; i < p->args.n; i++)
		if (p->args.v[i].name && strlen(p->args.v[i].name) == len &&
		    !strncmp(p->args.v[i].name, name, len))
			return true;
	return false;
}

/* Does the place have every argument, and the kernel every symbol, that the text names? */
static bool has_names(struct dtx_env *env, struct dtx_probe *p, const char *text)
{
	for (const char *s = text; s && (s = strstr(s, "args.")); s += 5)
		if (provider_args(env, p, ARGS_TYPED) < 0 ||
		    !has_arg(p, s + 5, name_span(s + 5, "")))
			return false;
	for (const char *s = text; s && (s = strchr(s, '`')); s++)
		if (!env_ksym(env, "", arena_strndup(env->arena, s + 1, name_span(s + 1, ""))))
			return false;
	return true;
}

/* The next of the texts between commas, outside of brackets; NULL: no more. */
static const char *next_text(struct arena *a, const char **list)
{
	const char *from = *list, *s;
	int depth = 0;

	if (!from)
		return NULL;
	from += strspn(from, " \t");
	for (s = from; *s && (*s != ',' || depth); s++)
		depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
	*list = *s ? s + 1 : NULL;
	return arena_strndup(a, from, s - from);
}

/*
 * Has the kernel the probes of the clauses in .help, and these the arguments that the clauses name?
 * The clauses have no braces in their bodies.
 */
static bool has_help(struct dtx_env *env, const char *help)
{
	while (help && *help) {
		const char *clause = arena_strndup(env->arena, help, strcspn(help, "}"));
		const char *list = arena_strndup(env->arena, clause, strcspn(clause, "{/")), *text;

		while ((text = next_text(env->arena, &list))) {
			text = arena_strndup(env->arena, text, strcspn(text, " "));
			struct dtx_probe *p = base_find(env, text);

			if (!p || !has_names(env, p, clause + strcspn(clause, "{/")))
				return false;
		}
		help += strlen(clause);
		help += strspn(help, "} ");
	}
	return true;
}

/* ---- probes ------------------------------------------------------------------------------ */

struct listing {
	struct dtx_env *env;
	const struct row *probe;
	u32 id, site;
	const struct dtx_provider *of;
	dtx_probe_fn *each;
	void *arg;
	int err;
};

static struct dtx_probe *stable_probe(struct listing *l, const struct row *r,
				      struct dtx_probe *base)
{
	struct dtx_env *env = l->env;
	struct dtx_probe *p = arena_memdup(env->arena, base, sizeof(*p));
	struct dtx_stable *st = ARENA_NEW(env->arena, struct dtx_stable);

	st->base = base;
	st->when = r->when;
	st->help = r->help;
	st->after = r->after;
	p->stable = st;
	p->own = r;
	p->place.site = l->site++;
	p->id = l->id;
	p->prov = l->probe->prov;
	p->mod = "vmlinux";
	p->func = "";
	p->name = l->probe->name;
	p->args.state = ARGS_UNKNOWN;
	p->args.v = NULL;
	p->args.n = 0;
	if (r->switches)
		p->provider = l->of;
	/* It shares no program with the base probe of the same number. */
	if (p->prog.ident == IDENT_DISPATCH)
		p->prog.hook = arena_printf(env->arena, "%s %s", p->prov, p->name);
	return p;
}

/* The places of a row; if there are none, the alternatives are tried. */
static bool list_row_places(struct listing *l, const struct row *r)
{
	const char *list = r->base, *text;
	bool any = false;

	if (!has_help(l->env, r->help))
		return false;
	while (!l->err && (text = next_text(l->env->arena, &list))) {
		struct dtx_probe *base = base_find(l->env, text);

		if (!base || !has_names(l->env, base, r->args) || !has_names(l->env, base, r->when))
			continue;
		any = true;
		l->err = l->each(l->arg, stable_probe(l, r, base));
	}
	return any;
}

static int list_probe(struct listing *l)
{
	bool found = false;

	l->site = 0;
	for (const struct row *r = l->probe + 1;
	     !l->err && (r->kind == ROW_FROM || r->kind == ROW_OR); r++)
		if (r->kind == ROW_FROM || !found)
			found |= list_row_places(l, r);
	return l->err;
}

/* The kernel, also by its names on Solaris and FreeBSD. */
static bool is_kernel(const char *mod)
{
	return glob_matches(mod, "vmlinux") || !strcmp(mod, "genunix") || !strcmp(mod, "unix") ||
	       !strcmp(mod, "kernel");
}

/*
 * Stable probes have no module or function in the kernel.  A Solaris function
 * (io::bdev_strategy:start) is ignored if provider and name are given, unless it selects: a counter
 * with several functions (sysinfo::pread:readch) would count too much.
 */
static bool stable_is_here(const struct dtx_pattern *pat, const char *prov)
{
	bool chooses = !strcmp(prov, "sysinfo") || !strcmp(prov, "vminfo") || !strcmp(prov, "mib");
	bool passed = !chooses && !strcmp(pat->prov, prov) && *pat->name;

	return (passed || glob_matches(pat->func, "")) && is_kernel(pat->mod);
}

static int stable_list(struct dtx_env *env, const struct dtx_pattern *pat,
		       const struct dtx_provider *of, const char *prov, dtx_probe_fn *each,
		       void *arg)
{
	u32 id = prov_base(of);

	if (!prov_named(pat, prov) || !stable_is_here(pat, prov))
		return 0;
	for (const struct row *r = rows; r->kind != ROW_END; r++) {
		struct listing l = {
			.env = env, .probe = r, .of = of, .each = each, .arg = arg
		};

		if (r->kind != ROW_PROBE || strcmp(r->prov, prov))
			continue;
		l.id = id++;
		if ((!pat->id || pat->id == l.id) && glob_matches(pat->name, r->name) &&
		    list_probe(&l))
			return l.err;
	}
	return 0;
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* "psinfo_t *child": type and name; "int": a type alone. */
static void sig_arg(struct dtx_env *env, const char *text, struct dtx_arg *a)
{
	size_t len = strlen(text), name = len;

	while (name && name_char(text[name - 1]))
		name--;
	a->xlate = text;
	if (!name || !strcmp(text, "unsigned int"))
		return;
	if (text[name - 1] == '*' || strcmp(text + name, "int")) {
		a->name = text + name;
		while (name && text[name - 1] == ' ')
			name--;
		a->xlate = arena_strndup(env->arena, text, name);
	}
}

static u32 count_texts(struct dtx_env *env, const char *list)
{
	u32 n = 0;

	while (next_text(env->arena, &list))
		n++;
	return n;
}

int stable_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct dtx_stable *st = p->stable;
	const struct row *r = p->own, *probe = r;
	const char *exprs = r->args, *sig;
	struct dtx_arg *a;
	u32 own = count_texts(env, r->args);
	int err = provider_args(env, st->base, ARGS_TYPED);

	if (err < 0)
		return err;
	while (probe->kind != ROW_PROBE)
		probe--;
	sig = *probe->sig ? probe->sig : NULL;
	st->nargs = own;
	p->args.takes = 0;
	a = prov_args(env, p, own + st->base->args.n);
	for (u32 i = 0; i < own; i++) {
		const char *type = next_text(env->arena, &sig);

		a[i].loc = LOC_EXPR;
		a[i].text = next_text(env->arena, &exprs);
		a[i].size = 8;
		if (!type)                       /* hidden, for translators */
			continue;
		sig_arg(env, type, &a[i]);
		p->args.takes = i + 1;
	}
	if (st->base->args.n)
		memcpy(a + own, st->base->args.v, st->base->args.n * sizeof(*a));
	p->args.untyped = st->base->args.untyped;
	p->args.ret = st->base->args.ret < 0 ? -1 : (s32)own + st->base->args.ret;
	return 0;
}

/* ---- the providers --------------------------------------------------------------------------- */

/* None of its probes has a place on this kernel: most of them need function probes. */
static const char *stable_advise(struct dtx_env *env, const struct dtx_pattern *pat,
				 const char *prov)
{
	if (strcmp(pat->prov, prov) || !stable_is_here(pat, prov))
		return NULL;
	for (const struct row *r = rows; r->kind != ROW_END; r++) {
		const struct row *from = r + 1;

		if (r->kind != ROW_PROBE || strcmp(r->prov, prov) || glob_is_pattern(pat->name) ||
		    strcmp(pat->name, r->name))
			continue;
		for (; from->kind == ROW_FROM || from->kind == ROW_OR; from++)
			if (!strncmp(from->base, "fbt:", 4) && provider_fbt.missing(env))
				return provider_fbt.missing(env);
		return arena_printf(env->arena,
				    "this kernel has none of the probes that %s:::%s is based on",
				    prov, r->name);
	}
	return NULL;
}

/*
 * Rows on functions that are missing since no function can be probed, where other rows of the probe
 * are not instead of them (OR).
 */
static const char *stable_missing_base(const struct row *r)
{
	const char *lost = NULL;
	bool found = false;

	while (r->kind != ROW_PROBE)
		r--;
	for (r++; r->kind == ROW_FROM || r->kind == ROW_OR; r++) {
		bool is_function = !strncmp(r->base, "fbt:", 4);

		if (r->kind == ROW_OR && found)
			continue;
		if (r->kind == ROW_OR)
			lost = NULL;
		found |= !is_function;
		if (is_function && !lost)
			lost = r->base;
	}
	return lost;
}

const char *provider_partly(struct dtx_env *env, const struct dtx_probe *p)
{
	const char *base = p->stable && provider_fbt.missing(env) ? stable_missing_base(p->own) :
								     NULL;

	return !base ? NULL :
	       arena_printf(env->arena, "%s:::%s fires only at " PROBE_NAME " here, not at '%.*s': "
			    "functions cannot be probed", p->prov, p->name,
			    PROBE_PARTS(p->stable->base),
			    (int)strcspn(base, ","), base);
}

/* With a perf event on a task, of any kind, the kernel calls its hook at a task switch. */
static int switches_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
			   u32 n, int prog_fd)
{
	int fd = sys_perf_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, 0, -1, 0);

	if (fd < 0)
		return fd;
	attach_keep(at, fd);
	return kattach(at, probes, cookies, n, prog_fd);
}

#define PROVIDER(name, base)
#define STABLE(prov, base, text)                                                                \
	extern const struct dtx_provider provider_##prov;                                       \
	static int list_##prov(struct dtx_env *env, const struct dtx_pattern *pat,              \
			       dtx_probe_fn *each, void *arg)                                   \
	{                                                                                       \
		return stable_list(env, pat, &provider_##prov, #prov, each, arg);                \
	}                                                                                       \
	static const char *advise_##prov(struct dtx_env *env, const struct dtx_pattern *pat)    \
	{                                                                                       \
		return stable_advise(env, pat, #prov);                                          \
	}                                                                                       \
	const struct dtx_provider provider_##prov = {                                           \
		.name = #prov, .doc = text, .list = list_##prov, .advise = advise_##prov,       \
		.attach = switches_attach,                                                      \
	};
#include <dtx/tables/providers.def>

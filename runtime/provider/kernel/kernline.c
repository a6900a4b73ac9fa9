/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernline.c - lines of the source of the kernel and its modules, for the provider fbt:
 *
 *     fbt::tcp.c@1180  (kprobe:tcp.c:1180)      fbt::schedule:12  (kprobe:schedule:12)
 *
 * A number after a function counts from the line in which it is declared, as perf probe does.  The
 * places come from the debugging information of the running kernel (kdebug.c); the kernel finds
 * them again by a symbol and an offset, wherever it is loaded.  See line.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/tables/loc.h>
#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/provider/provider.h"

#define KERNEL     "vmlinux"

/* schedule:12 without a provider is one too. */
bool kernline_is(const struct dtx_pattern *pat)
{
	if (strcmp(pat->prov, "fbt") && *pat->prov)
		return false;
	return (*pat->prov && line_is(pat->name)) ||
	       (is_digits(pat->name) && *pat->func && !glob_is_pattern(pat->func));
}

bool kernline_is_entry(const struct dtx_pattern *pat)
{
	return !strcmp(pat->name, "0") || !strcmp(pat->name, LINE_ENTRY);
}

/* As a line that line.c understands. */
static struct dtx_pattern as_line(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct dtx_pattern p = *pat;

	if (is_digits(pat->name))
		p.name = arena_printf(env->arena, "@+%s", pat->name);
	return p;
}

/* ---- modules ------------------------------------------------------------------------------ */

/* The module that must have the line: it is named, or has the function; NULL: any. */
static const char *module_of(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *name, *mod;
	u64 addr, off;

	if (*pat->mod && !glob_is_pattern(pat->mod))
		return pat->mod;
	addr = *pat->func && !glob_is_pattern(pat->func) ?
	       ksyms_addr(ksyms_get(env), "", pat->func) : 0;
	return addr && ksyms_find(ksyms_get(env), addr, &name, &mod, &off) ? mod : NULL;
}

/* Code at an address of an object, by a symbol that the running kernel has. */
struct place {
	const char *symbol, *func;
	u64 off;
};

static bool place_of(struct dtx_env *env, const char *object, const char *mod, u64 addr,
		     struct place *p)
{
	struct elfsyms *syms = user_symbols(env, object);
	const struct elfsym *f = syms ? elfsyms_at(syms, addr) : NULL;

	p->func = f ? arena_strdup(env->arena, f->name) : NULL;
	p->symbol = f ? kdebug_symbol(syms, mod, addr, &p->off) : NULL;
	/* Code of a module's beginning is gone. */
	return p->symbol && ksyms_addr(ksyms_get(env), mod, p->symbol);
}

/* Whose lines are made probes, and of which provider. */
struct kern_where {
	const struct dtx_provider *of;
	const char *mod;
};

static struct dtx_probe *make(struct dtx_env *env, const struct line_maker *m,
			      const struct dwarf_site *s, const char *name)
{
	const struct kern_where *w = m->priv;
	struct dtx_probe *p;
	struct place at;

	if (!place_of(env, m->object, w->mod, s->addr, &at))
		return NULL;
	p = koffset_probe(env, w->of,
			  &(struct koffset){ w->mod, s->func, name, at.symbol, at.off });
	p->place.num = KATTACH_LINE;
	return p;
}

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	const struct dtx_provider *of;
	dtx_probe_fn *each;
	void *arg;
	u32 n;                   /* places that were found */
};

static int list_module(struct listing *l, const char *mod)
{
	const char *object = kdebug_file(l->env, mod, NULL);
	const struct kern_where w = { l->of, mod };
	const struct line_maker m = { make, object, &w, l->each, l->arg };
	struct dwarf_lines_of want;
	struct dwarf_site *sites;
	u32 n;

	if (!object || !line_wanted(l->env, l->pat, object, &want))
		return 0;
	want.is_unit = true;
	n = dwarf_lines(l->env, object, &want, &sites);
	l->n += n;
	return line_list(l->env, &m, sites, n, NULL);
}

/* The kernel, then the loaded modules that match, until one has the line. */
static int list_modules(struct listing *l)
{
	char *text, *save = NULL;
	size_t len;
	int err = 0;

	if (glob_matches(l->pat->mod, KERNEL))
		err = list_module(l, KERNEL);
	if (err || l->n || machine_read(l->env, "/proc/modules", &text, &len))
		return err;
	for (char *line = strtok_r(text, "\n", &save); line && !err && !l->n;
	     line = strtok_r(NULL, "\n", &save)) {
		line[strcspn(line, " ")] = '\0';
		if (glob_matches(l->pat->mod, line))
			err = list_module(l, arena_strdup(l->env->arena, line));
	}
	free(text);
	return err;
}

int kernline_list(struct dtx_env *env, const struct dtx_pattern *pat,
		  const struct dtx_provider *of, dtx_probe_fn *each, void *arg)
{
	const struct dtx_pattern line = as_line(env, pat);
	struct listing l = { .env = env, .pat = &line, .of = of, .each = each, .arg = arg };
	const char *mod = module_of(env, pat);

	if (!mod && !*pat->prov)
		return 0;
	return mod ? list_module(&l, arena_strdup(env->arena, mod)) : list_modules(&l);
}

/* Modules that are built in have no initstate. */
static bool is_loaded(struct dtx_env *env, const char *mod)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", mod);
	return !strcmp(mod, KERNEL) || machine_access(env, path, R_OK) == 0;
}

const char *kernline_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const struct dtx_pattern line = as_line(env, pat);
	const char *mod = module_of(env, pat), *why = NULL, *object;
	bool counts = strstr(line.name, "@+");

	if (!mod && counts)
		return arena_printf(env->arena, "the kernel has no function '%s'%s%s", pat->func,
				    *pat->mod ? " in " : "", pat->mod);
	if (mod && !is_loaded(env, mod))
		return arena_printf(env->arena, "the kernel has not loaded a module '%s'", mod);
	object = kdebug_file(env, mod ? mod : KERNEL, &why);
	if (object)
		return line_advise(env, &line, object, mod ? mod : KERNEL);
	if (!counts)
		return arena_printf(env->arena, "its lines are not known: %s", why);
	return arena_printf(env->arena, "a plain number after a function of the kernel is a line "
			    "of its source, and these are not known: %s; a place in its code is "
			    "kprobe:%s+0x%s", why, pat->func, strchr(line.name, '+') + 1);
}

int kernline_list_inlined(struct dtx_env *env, const struct dtx_pattern *pat,
			  const struct dtx_provider *of, dtx_probe_fn *each, void *arg)
{
	bool named = *pat->mod && !glob_is_pattern(pat->mod) && *pat->func &&
		     !glob_is_pattern(pat->func);
	const char *object = named ? kdebug_file(env, pat->mod, NULL) : NULL;
	const struct kern_where w = { of, arena_strdup(env->arena, pat->mod) };
	const struct line_maker m = { make, object, &w, each, arg };
	struct dwarf_site *sites;
	u32 n;

	if (!object)
		return 0;
	n = dwarf_copies(env, object, pat->func, &sites);
	return line_list(env, &m, sites, n, "entry");
}

/* ---- arguments ---------------------------------------------------------------------------- */

struct wanted {
	const char *mod, *func;
};

static int is_wanted(void *arg, const char *mod, const char *func)
{
	const struct wanted *w = arg;

	return !strcmp(func, w->func) && !strcmp(mod, w->mod);
}

/* Does the function begin with a call for ftrace?  dwarfentry.c has the reason. */
static bool is_traced(struct dtx_env *env, const char *mod, u64 entry)
{
	struct elfsyms *syms = user_symbols(env, kdebug_file(env, mod, NULL));
	const struct elfsym *f = syms ? elfsyms_at(syms, entry) : NULL;
	struct wanted w = { mod, f ? f->name : "" };

	return kattach_each(env, is_wanted, &w) || kattach_each_left_out(env, is_wanted, &w);
}

static void check_entries(struct dtx_env *env, struct dtx_probe *p)
{
	bool traced = true;
	u64 last = 0;

	for (u32 i = 0; i < p->args.n; i++) {
		struct dtx_arg *a = &p->args.v[i];

		if (!a->entry)
			continue;
		if (a->entry != last)
			traced = is_traced(env, p->mod, a->entry);
		last = a->entry;
		if (traced)
			continue;
		a->loc = LOC_NONE;
		a->text = "the function no longer has it here, only its caller, and the kernel "
			  "cannot trace the function where it begins";
	}
}

void kernline_args(struct dtx_env *env, struct dtx_probe *p)
{
	line_args(env, p);
	check_entries(env, p);
}

void kernline_args_at(struct dtx_env *env, struct dtx_probe *p)
{
	const char *object = kdebug_file(env, p->mod, NULL);
	struct elfsyms *syms = object ? user_symbols(env, object) : NULL;
	const struct elfsym *f = syms ? elfsyms_by_name(syms, p->func) : NULL;

	p->args.untyped = true;
	if (!f || f->is_twice)
		return;
	line_args_at(env, p, object, f->addr + p->place.off);
	check_entries(env, p);
}

/* An id of its own, by the place: several functions may have one name. */
struct dtx_probe *kernline_entry(struct dtx_env *env, const struct dtx_probe *p, u64 entry)
{
	struct place at = { 0 };
	struct dtx_probe *keeps;

	if (!place_of(env, kdebug_file(env, p->mod, NULL), p->mod, entry, &at))
		at.func = at.symbol = p->func;           /* unloaded meanwhile: refused */
	keeps = koffset_probe(env, p->provider,
			      &(struct koffset){ p->mod, arena_printf(env->arena, "0x%lx", entry),
						 "registers", at.symbol, at.off });
	keeps->func = at.func;
	keeps->place.entry = entry;
	return keeps;
}

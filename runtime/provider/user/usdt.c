/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt.c - USDT: probes that programs define (sys/sdt.h), found by their ELF notes.
 *
 *     postgresql123:::query-start       one process
 *     postgresql$target:::query-start   the one of -p or -c
 *     postgresql:::query-start          every process that runs such a program, later ones too;
 *                                       with -p that process alone
 *     usdt:PATH:PROVIDER:NAME           a program or library by its file, running or not
 *     usdt:PATH:NAME                    the same, any provider
 *
 * A site is a nop.  A probe may have several sites, with arguments in different places: one
 * struct dtx_probe per site, all with the same id; the compiler groups those whose arguments
 * lie in the same places.  If the program tests whether it is traced (a semaphore), the kernel
 * increments the semaphore when it sets the probe, in each process.
 *
 * "__" of a name is "-" in D; descriptions may have either.
 * Why: docs/decisions/18-usdt-sites.md
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/stack/stack.h"
#include "runtime/kernel/kernel.h"

static const char cache_key[] = "usdt";     /* of prov_cache() */

/* One site of an object. */
struct site {
	struct usdt_note note;
	const char *name, *func;         /* as shown in the probe */
	u32 nth;                         /* its index among the sites of its probe */
	const struct dtx_proto *proto;   /* what the program says of the arguments, or NULL */
	const struct object *object;
};

/* An object whose sites are wanted. */
struct object {
	struct object *next;
	struct codefile *file;
	struct site *sites;              /* by provider, name, function, address */
	u32 nsites;
};

struct cache { struct object *objects; };

struct listing {
	struct dtx_env *env;
	const char *prov, *mod, *func, *name;    /* patterns; prov without a process id */
	s32 pid;                         /* of this process only; 0: all */
	bool numbered;                   /* show the provider with the process id */
	dtx_probe_fn *each;
	void *arg;
};

/* ---- objects ---------------------------------------------------------------------- */

static int site_cmp(const void *pa, const void *pb)
{
	const struct site *a = pa, *b = pb;
	int c = strcmp(a->note.prov, b->note.prov);

	if (!c)
		c = strcmp(a->name, b->name);
	if (!c)
		c = strcmp(a->func, b->func);
	return c ? c : a->note.addr < b->note.addr ? -1 : a->note.addr > b->note.addr;
}

static bool same_probe(const struct site *a, const struct site *b)
{
	return !strcmp(a->note.prov, b->note.prov) && !strcmp(a->name, b->name) &&
	       !strcmp(a->func, b->func);
}

/* query__start to query-start. */
static const char *d_name(struct arena *a, const char *name)
{
	char *out = arena_strdup(a, name), *to = out;

	for (; *name; name++) {
		bool two = name[0] == '_' && name[1] == '_';

		*to++ = two ? '-' : *name;
		name += two;
	}
	*to = '\0';
	return out;
}

static const struct dtx_proto *site_proto(const struct usdt_notes *notes,
					  const struct usdt_note *note)
{
	for (u32 i = 0; i < notes->nprotos; i++)
		if (!strcmp(notes->protos[i].prov, note->prov) &&
		    !strcmp(notes->protos[i].name, note->name))
			return &notes->protos[i].args;
	return NULL;
}

static void site_fill(struct dtx_env *env, struct site *s, const struct object *o,
		      const struct usdt_note *note)
{
	const struct elfsym *f = elfsyms_at(codefile_symbols(o->file), note->addr);
	struct buf text = { 0 };

	if (f)
		sym_demangle(f->name, &text);
	*s = (struct site){
		.note = *note, .object = o,
		.name = d_name(env->arena, note->name),
		.func = arena_strdup(env->arena, text.len ? text.data : ""),
		.proto = site_proto(usdt_notes(o->file), note),
	};
	buf_free(&text);
}

/* Reading symbols takes most of the time: it is done only for the objects of a provider. */
static bool provides(struct codefile *file, const char *prov)
{
	const struct usdt_notes *notes = usdt_notes(file);

	for (u32 i = 0; i < notes->n; i++)
		if (glob_matches(prov, notes->v[i].prov))
			return true;
	return false;
}

/* Its notes stay: sites are texts of them. */
static struct object *object_sites(struct dtx_env *env, struct codefile *file)
{
	struct object *o = ARENA_NEW(env->arena, struct object);
	const struct usdt_notes *notes = usdt_notes(file);

	codefile_pin(file);
	codefile_keep(file, CODE_NOTES);
	o->file = file;
	o->nsites = notes->n && codefile_symbols(file) ? notes->n : 0;
	o->sites = ARENA_ARRAY(env->arena, struct site, o->nsites + 1);
	for (u32 i = 0; i < o->nsites; i++)
		site_fill(env, &o->sites[i], o, &notes->v[i]);
	if (o->nsites)
		qsort(o->sites, o->nsites, sizeof(*o->sites), site_cmp);
	for (u32 i = 1; i < o->nsites; i++)
		if (same_probe(&o->sites[i - 1], &o->sites[i]))
			o->sites[i].nth = o->sites[i - 1].nth + 1;
	return o;
}

static struct object *object_get(struct dtx_env *env, struct codefile *file)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	struct object *o = c->objects;

	while (o && o->file != file)
		o = o->next;
	if (!o) {
		o = object_sites(env, file);
		o->next = c->objects;
		c->objects = o;
	}
	return o;
}

/* For the places of the arguments.  Without symbols: the file is not there any more. */
static struct usdt_where site_where(const struct site *s)
{
	codefile_pin(s->object->file);
	return (struct usdt_where){ codefile_symbols(s->object->file), s->note.addr };
}

/* ---- listing ------------------------------------------------------------------------ */

/* The second nop of a site, if this kernel replaces it by a call: that costs no trap.  Padding
 * after a site of one nop looks like it, but jumps lead there. */
static u32 usdt_past(struct dtx_env *env, const struct site *s, u64 off)
{
	u8 code[ARCH_INSN_MAX] = { 0 };
	u32 past;

	if (env->listing || !machine_is_here(env) ||
	    codefile_read(s->object->file, code, sizeof(code), off) <= 0)
		return 0;
	past = arch_long_nop(code);
	if (!past || !sys_long_nops_become_calls())
		return 0;
	return user_may_be_jumped_to(env, codefile_path(s->object->file), s->note.addr + past,
				     off + past) ? 0 : past;
}

static bool keeps_all_but_pc(u32 off)
{
	return off != ARCH_REG_IP;
}

static int usdt_emit(struct listing *l, const struct proc_object *po, const struct site *s)
{
	struct user_where w = {
		.of = &provider_usdt, .prov = s->note.prov, .mod = po->name, .path = po->path,
		.pid = l->pid,
	};
	struct elfsyms *syms = site_where(s).syms;
	u64 off = syms ? elfsyms_file_off(syms, s->note.addr) : ~0ull;
	u64 sem = syms && s->note.semaphore ? elfsyms_file_off(syms, s->note.semaphore) : 0;
	struct dtx_probe *p;

	if (off == ~0ull || sem == ~0ull)
		return 0;
	if (l->numbered)
		w.prov = arena_printf(l->env->arena, "%s%d", s->note.prov, l->pid);
	p = user_probe(l->env, &w, s->func, s->name, off, false);
	p->place.site = s->nth;
	p->place.ref_ctr = sem;
	p->place.past = usdt_past(l->env, s, off);
	p->own = s;
	return l->each(l->arg, p);
}

static bool wanted(const struct listing *l, const struct site *s)
{
	if (!glob_matches(l->prov, s->note.prov) || !glob_matches(l->func, s->func))
		return false;
	return glob_matches(l->name, s->name) || glob_matches(l->name, s->note.name);
}

static int list_object(void *arg, s32 pid, const struct proc_object *po)
{
	struct listing *l = arg;
	struct codefile *file;
	struct object *o;
	int err = 0;

	if (!process_object_named(po, l->mod))
		return 0;
	file = codefile_at(l->env, po->path);
	if (usdt_too_many(file))
		diag_warn(&l->env->diags, DIAG_NONE, (struct range){ 0 },
			  "%s has more USDT probes than dtx reads (50,000, with 8 MB of "
			  "texts): none of them is there", codefile_path(file));
	if (!provides(file, l->prov))
		return 0;
	o = object_get(l->env, file);
	for (u32 i = 0; i < o->nsites && !err; i++)
		if (wanted(l, &o->sites[i]))
			err = usdt_emit(l, po, &o->sites[i]);
	return err;
}

static int list_path(struct listing *l, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct proc_object po = { .name = slash ? slash + 1 : path, .path = path };

	l->mod = "";
	return list_object(l, 0, &po);
}

static int list_glob(struct listing *l, const char *pattern)
{
	glob_t g;
	int err = 0;

	file_note_passing();
	if (!machine_is_here(l->env) || glob(pattern, 0, NULL, &g))
		return 0;
	for (size_t i = 0; !err && i < g.gl_pathc; i++)
		err = list_path(l, arena_strdup(l->env->arena, g.gl_pathv[i]));
	globfree(&g);
	return err;
}

/* usdt:WHERE:PROVIDER:NAME; WHERE is a path, a library or program, "" or a pattern. */
static int list_file(struct listing *l, const char *where)
{
	const char *path;

	l->pid = l->env->target_pid;
	if (glob_is_pattern(where) && strchr(where, '/'))
		return list_glob(l, where);
	if (glob_is_pattern(where)) {
		l->mod = where;
		if (l->pid)
			return process_objects(l->env, l->pid, list_object, l);
		return *where ? process_seen_objects(l->env, list_object, l) : 0;
	}
	path = user_path(l->env, user_literal(l->env, where));
	return path ? list_path(l, path) : 0;
}

/* "foo123" to foo and 123, when there is a process 123. */
static s32 split_pid(struct dtx_env *env, const char *prov, const char **name)
{
	size_t len = strlen(prov), digits = 0;
	long pid;

	while (digits < len && strchr("0123456789", prov[len - digits - 1]))
		digits++;
	if (!digits || digits > 9 || digits == len)
		return 0;
	pid = strtol(prov + len - digits, NULL, 10);
	if (!pid || !machine_is_here(env) || !proc_exists(pid))
		return 0;
	*name = arena_strndup(env->arena, prov, len - digits);
	return pid;
}

/*
 * The one process that is traced at all, by -p; 0: -c may start others.  A list has the probes of
 * either, which are there already.
 */
static s32 only_process(const struct dtx_env *env)
{
	bool one = env->target_only && env->targets.n == 1 && !prov_follows(env);

	return one || env->listing ? env->target_pid : 0;
}

/* The process that a provider's pattern is for, 0: all; the pattern without its number. */
static void list_whose(struct listing *l, const struct dtx_pattern *pat)
{
	l->pid = split_pid(l->env, pat->prov, &l->prov);
	if (!l->pid)
		l->pid = only_process(l->env);
	l->numbered = l->pid != 0;
}

static struct listing listing_of(struct dtx_env *env, const struct dtx_pattern *pat,
				 dtx_probe_fn *each, void *arg)
{
	return (struct listing){
		.env = env, .prov = pat->prov, .mod = pat->mod, .func = pat->func,
		.name = pat->name, .each = each, .arg = arg,
	};
}

static bool is_any(const struct dtx_pattern *pat)
{
	return !*pat->prov || !strcmp(pat->prov, "*");
}

static int usdt_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		     void *arg)
{
	struct listing l = listing_of(env, pat, each, arg);

	if (user_missing(env))
		return 0;
	if (!strcmp(pat->prov, "usdt")) {
		l.prov = pat->func;
		l.func = "";
		return list_file(&l, pat->mod);
	}
	if (prov_is(pat->prov) || !machine_is_here(env))
		return 0;
	list_whose(&l, pat);
	if (l.pid)
		return process_objects(env, l.pid, list_object, &l);
	return is_any(pat) ? 0 : process_seen_objects(env, list_object, &l);
}

/* ---- programs and libraries of later ---------------------------------------------------- */

static struct dtx_probe *usdt_late(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct listing l = listing_of(env, pat, NULL, NULL);
	struct user_where w = {
		.of = &provider_usdt, .prov = pat->prov, .mod = pat->mod, .path = ""
	};
	bool in_file = !strcmp(pat->prov, "usdt") && *pat->mod;

	if (user_never(env) || pat->id || is_any(pat) ||
	    (in_file ? user_matches_now(env, &provider_usdt, pat) : prov_is(pat->prov)))
		return NULL;
	list_whose(&l, pat);
	w.pid = l.pid;
	return user_placeholder(env, pat, &w, false);
}

static int usdt_list_later(struct dtx_env *env, const struct dtx_pattern *pat, s32 pid,
			   const struct proc_object *po, dtx_probe_fn *each, void *arg)
{
	struct listing l = listing_of(env, pat, each, arg);

	list_whose(&l, pat);
	if (!strcmp(pat->prov, "usdt")) {
		if (!user_is_file(env, pat->mod, po))
			return 0;
		l.prov = pat->func;
		l.func = l.mod = "";
		l.numbered = false;
	}
	return l.pid && l.pid != pid ? 0 : list_object(&l, pid, po);
}

/* ---- arguments ------------------------------------------------------------------------ */

/* The C type of a number of this size. */
static const char *number_type(u32 size, bool is_signed)
{
	static const char *const names[2][4] = {
		{ "uint8_t", "uint16_t", "uint32_t", "uint64_t" },
		{ "int8_t", "int16_t", "int32_t", "int64_t" },
	};

	return names[is_signed][size == 8 ? 3 : size / 2];
}

/* Sites may pass different types for one parameter: the widest is used for all. */
static void widen(struct dtx_env *env, const struct site *s, struct dtx_arg *common, u32 *n)
{
	struct dtx_arg a[DTX_MAX_ARGS];
	struct usdt_where where = site_where(s);
	u32 k = usdt_parse_args(env->arena, s->note.args, &where, a, DTX_MAX_ARGS);

	for (u32 i = 0; i < k; i++)
		if (i >= *n || a[i].size > common[i].size ||
		    (a[i].size == common[i].size && a[i].is_signed))
			common[i] = a[i];
	*n = MAX(*n, k);
}

/* For a probe from an image only the place is known. */
static const struct site *site_of(struct dtx_env *env, const struct dtx_probe *p)
{
	struct object *o = object_get(env, codefile_at(env, p->place.target));
	struct elfsyms *syms = o->nsites ? site_where(o->sites).syms : NULL;

	for (u32 i = 0; syms && i < o->nsites && !p->own; i++)
		if (elfsyms_file_off(syms, o->sites[i].note.addr) == p->place.off &&
		    !strcmp(o->sites[i].name, p->name))
			return &o->sites[i];
	return p->own;
}

static int usdt_args(struct dtx_env *env, struct dtx_probe *p)
{
	if (p->late)
		return user_late_args(env, p);

	const struct site *s = site_of(env, p);
	const struct object *o = s ? s->object : NULL;
	struct dtx_arg common[DTX_MAX_ARGS], mine[DTX_MAX_ARGS], *a;
	struct usdt_where where = s ? site_where(s) : (struct usdt_where){ 0 };
	u32 ncommon = 0, n;

	if (!where.syms)
		return dtx_env_fail(env, -ENOENT,
				    "%s has changed: its probe %s is not there any more",
				    p->place.target, p->name);
	n = usdt_parse_args(env->arena, s->note.args, &where, mine, DTX_MAX_ARGS);
	for (u32 i = 0; i < o->nsites; i++)
		if (!strcmp(o->sites[i].name, s->name) &&
		    !strcmp(o->sites[i].note.prov, s->note.prov))
			widen(env, &o->sites[i], common, &ncommon);
	p->args.proto = s->proto;
	a = prov_args(env, p, n);
	for (u32 i = 0; i < n; i++) {
		a[i] = mine[i];
		a[i].ctype = number_type(common[i].size, common[i].is_signed);
	}
	user_past_args(p, keeps_all_but_pc);
	return 0;
}

/* ---- nothing matched -------------------------------------------------------------------- */

struct offer {
	struct buf names;
	const char *last;
	u32 n;
};

static int offer_probe(void *arg, struct dtx_probe *p)
{
	struct offer *o = arg;
	const struct site *s = p->own;

	if (p->place.site || (o->last && !strcmp(o->last, p->name)))
		return 0;
	o->last = p->name;
	if (++o->n <= 8)
		buf_printf(&o->names, "%s%s:%s", o->n > 1 ? ", " : "", s->note.prov, p->name);
	return 0;
}

/* The site at the same place, with any name. */
static const char *offer(struct dtx_env *env, const struct dtx_pattern *pat, const char *what)
{
	struct dtx_pattern all = *pat;
	struct offer o = { .n = 0 };
	const char *text, *why = *what == '/' ? codefile_stranger(what) : NULL;

	if (why)
		return arena_printf(env->arena, "%s cannot be read: %s", what, why);
	all.func = all.name = "";
	usdt_list(env, &all, offer_probe, &o);
	if (!o.n)
		text = arena_printf(env->arena, "%s has no USDT probes", what);
	else
		text = arena_printf(env->arena, "%s has %s%s", what, o.names.data,
				    o.n > 8 ? arena_printf(env->arena, " and %u more", o.n - 8)
					    : "");
	buf_free(&o.names);
	return text;
}

static const char *usdt_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *where = pat->mod, *name;

	if (strcmp(pat->prov, "usdt"))
		return NULL;
	if (!*where && !env->target_pid)
		return "name the program or library, as in usdt:/usr/bin/python3:python:gc__start, "
		       "or give a process with -p";
	if (!machine_is_here(env) && glob_is_pattern(where))
		return user_no_globs(env);
	if (glob_is_pattern(where))
		return offer(env, pat, *where ? "what matches the path" : "the process");
	name = user_literal(env, where);
	if (!user_path(env, name))
		return user_no_file(env, name);
	return offer(env, pat, name);
}

/* Why a USDT provider, with a process id or a pattern, has no probes; NULL: a built-in provider may
 * be meant. */
const char *usdt_absent(struct dtx_env *env, const struct dtx_pattern *pat)
{
	size_t len = strcspn(pat->prov, "*0123456789");

	if (!len || !pat->prov[len])
		return NULL;
	if (prov_begins(pat->prov, len))
		return NULL;
	if (!machine_is_here(env))
		return user_no_process(env);
	return arena_printf(
		env->arena,
		"no running program has probes of a provider '%.*s'; where one is to start later, "
		"-Z waits for it, or name its file: usdt:PATH:%.*s:NAME",
		(int)len, pat->prov, (int)len, pat->prov);
}

const struct dtx_provider provider_usdt = {
	.name = "usdt",
	.doc = "probes of programs and libraries themselves: PROVIDER123:::, "
	       "usdt:PATH:PROVIDER:NAME",
	.list = usdt_list,
	.args = usdt_args,
	.for_needs = user_for_needs,
	.attach = user_attach,
	.late = usdt_late,
	.list_object = usdt_list_later,
	.missing = user_missing,
	.advise = usdt_advise,
};

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracepoint.c - kernel tracepoints with the fields of their event format.
 *
 *     tracepoint:GROUP::EVENT       also sdt:GROUP::EVENT, DTrace's name for them
 *
 * Fields are read from the record that a perf tracepoint builds.  A program that uses no
 * fields is attached to the raw tracepoint instead (without_args), which costs less than half.
 * GROUP syscalls belongs to `syscall`, but tracepoint:syscalls: also works.
 * Why: docs/decisions/05-raw-tracepoints.md
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/feat.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>

#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_tracepoint;

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	const char *prov;
	bool all;                        /* with the groups that DTrace's sdt leaves out */
	dtx_probe_fn *each;
	void *arg;
};

static bool other_providers(const char *group)
{
	return !strcmp(group, "syscalls") || !strcmp(group, "kprobes") || !strcmp(group, "uprobes");
}

static int tracepoint_emit(void *arg, const struct tp_id *t)
{
	struct listing *l = arg;
	u32 id = prov_base(&provider_tracepoint) + t->id;
	struct dtx_probe *p;

	if ((!l->all && other_providers(t->group)) ||
	    !prov_wants(l->pat, id, t->group, "", t->name))
		return 0;
	p = prov_probe(l->env, &provider_tracepoint, (struct probe_name){
		id, l->prov, t->group, "", t->name
	});
	tpevents_kind_record(l->env, p);
	p->place.target = p->name;
	p->place.num = t->id;
	return l->each(l->arg, p);
}

static int tracepoint_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			   void *arg)
{
	struct listing l = { .env = env, .pat = pat, .each = each, .arg = arg };

	if (prov_named(pat, "tracepoint"))
		l.prov = "tracepoint";
	else if (prov_named(pat, "sdt"))
		l.prov = "sdt";
	else
		return 0;
	l.all = !strcmp(pat->prov, "tracepoint") && *pat->mod;
	if (!glob_matches(pat->func, ""))
		return 0;
	return tpevents_each(env, pat->mod, pat->name, tracepoint_emit, &l);
}

/* A kernel compiled with -funsigned-char (6.2 and later) says that its char has no sign. */
static const char *field_type(const struct tp_field *f)
{
	if (f->is_dataloc && !strncmp(f->ctype, "char", 4))
		return "string";
	return !strcmp(f->ctype, "char") && !f->is_signed ? "unsigned char" : f->ctype;
}

/* "struct pt", "enum color *", "my_t [3]": what stands before the stars and the number. */
static struct type *named_type(struct dtx_env *env, const char *event, const char *ctype,
			       const char **rest)
{
	static const struct { const char *word; enum type_kind kind; } tags[] = {
		{ "struct ", T_STRUCT }, { "union ", T_UNION }, { "enum ", T_ENUM },
	};
	enum type_kind kind = T_TYPEDEF;
	size_t len;

	if (!strncmp(ctype, "const ", 6))
		ctype += 6;
	for (u32 i = 0; i < ARRAY_SIZE(tags) && kind == T_TYPEDEF; i++)
		if (!strncmp(ctype, tags[i].word, strlen(tags[i].word))) {
			kind = tags[i].kind;
			ctype += strlen(tags[i].word);
		}
	len = name_span(ctype, "");
	*rest = ctype + len;
	return len ? btf_event_type(btf_src_open(env), event, kind,
				    arena_strndup(env->arena, ctype, len)) : NULL;
}

/*
 * The field's type as the event's module has it: vmlinux, where names are looked up first, may have
 * another one of the same name.  NULL: the text says it.
 */
static struct type *module_type(struct dtx_env *env, const char *event, const char *ctype)
{
	struct type *t = named_type(env, event, ctype, &ctype);
	char *end;

	for (; t && (*ctype == ' ' || *ctype == '*'); ctype++)
		if (*ctype == '*')
			t = type_ptr(env->arena, t);
	if (t && *ctype == '[') {
		t = type_array(env->arena, t, (u32)strtoul(ctype + 1, &end, 10));
		ctype = *end == ']' ? end + 1 : end;
	}
	return *ctype ? NULL : t;
}

static void field_arg(struct dtx_arg *a, const struct tp_field *f)
{
	a->name = f->name;
	a->ctype = field_type(f);
	a->loc = f->is_dataloc ? LOC_DATALOC : LOC_CTX;
	a->value = f->is_relloc ? f->off + f->size : 0;
	a->off = f->off;
	a->size = f->size;
	a->is_signed = f->is_signed;
	a->names = f->names;
}

static int tracepoint_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct tp_event *ev;
	struct dtx_arg *a;
	u32 n = 0, obj = 0;

	if (p->late) {
		prov_args(env, p, 0);
		p->args.untyped = true;
		p->args.why = "the fields of events are not known before their module is loaded";
		return 0;
	}
	ev = tracefs_event(env, p->mod, p->name);
	if (!ev)
		return dtx_env_fail(env, -ENOENT,
				    "the format of %s:%s cannot be read from tracefs; "
				    "is it mounted and readable (root)?",
				    p->mod, p->name);
	if (other_providers(p->mod) || !tpevents_btf(env, p->name, &obj))
		obj = 0;
	a = prov_args(env, p, ev->nfields);
	for (u32 i = 0; i < ev->nfields; i++) {
		if (!strncmp(ev->fields[i].name, "common_", 7))
			continue;
		field_arg(&a[n], &ev->fields[i]);
		if (obj && !ev->fields[i].is_dataloc)
			a[n].type = module_type(env, p->name, ev->fields[i].ctype);
		a[n++].user = !strcmp(p->mod, "syscalls");       /* pointers of the program */
	}
	p->args.n = p->args.takes = n;
	return 0;
}

static int without_args(struct dtx_env *env, struct dtx_probe *p)
{
	u32 id, obj;

	if (other_providers(p->mod) || p->late)
		return 0;
	id = tpevents_btf(env, p->name, &obj);
	if (id)                                  /* else it has another name, or no BTF */
		tpevents_kind_of(env, p, true, id, obj);
	return 0;
}

/* With -Z: events of modules that are not loaded yet. */
static struct dtx_probe *tracepoint_late(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct dtx_probe *p;

	if ((strcmp(pat->prov, "tracepoint") && strcmp(pat->prov, "sdt")) || *pat->func ||
	    !env_has(env, FEAT_PERF_COOKIE) || !kernlate_waits(env, &provider_tracepoint, pat))
		return NULL;
	p = kernlate_probe(env, &provider_tracepoint, pat);
	tpevents_kind_record(env, p);    /* by cookie */
	return p;
}

static int tracepoint_list_modules(struct dtx_env *env, const struct dtx_probe *late,
				   dtx_probe_fn *each, void *arg)
{
	const struct dtx_pattern pat = { late->prov, late->mod, late->func, late->name, 0, true };

	return tracepoint_list(env, &pat, each, arg);
}

static int open_event(const struct attach *at, const struct dtx_probe *p)
{
	return sys_perf_tracepoint(p->place.num);
}

static int attach_raw(struct attach *at, const struct dtx_probe *p, u64 cookie, int prog_fd)
{
	int fd = tpevents_link(p, prog_fd, cookie);

	if (fd < 0) {
		attach_refuse(at, p, "%s", tpevents_why(at->env, p, fd));
		return fd;
	}
	attach_keep(at, fd);
	return 0;
}

static int tracepoint_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	u32 kind = probes[0]->prog.kind;
	bool record = progkinds[kind].context == KIND_CTX_EVENT;
	int err = 0;
	u32 done = 0;

	if (record) {
		err = perf_attach_all(at, probes, cookies, n, prog_fd,
				      (struct perf_opener){ open_event, tpevents_why });
		at->waiting += n;
	}
	for (u32 i = 0; !record && i < n; i++) {
		u64 cookie = probes[i]->prog.ident == IDENT_COOKIE ? cookies[i] : 0;
		int one = attach_raw(at, probes[i], cookie, prog_fd);

		done += !one;
		err = err ? err : one;
	}
	if (done)                        /* the others are refused, each by name */
		err = 0;
	if (!err)
		attach_note(at, "%s: %u event%s by %s", prov_common(at->arena, probes, n), n,
			     n == 1 ? "" : "s", record ?
			     "perf tracepoint (its fields are used)" :
			     kind_is(kind, KIND_TYPED) ? "tp_btf (no field is used)" :
			     "raw_tp (no field is used)");
	return err;
}

static const char *tracepoint_missing(struct dtx_env *env)
{
	if (!tracefs_path(env))
		return "tracefs is not mounted or not readable, so tracepoints cannot be found: "
		       "run as root, 'mount -t tracefs nodev /sys/kernel/tracing'";
	return env_has(env, FEAT_TRACEPOINT) ? NULL :
		"tracepoint events cannot be opened here (not root, or kernel.perf_event_paranoid "
		"forbids it): tracepoint and sdt probes are not available";
}

const struct dtx_provider provider_tracepoint = {
	.name = "tracepoint",
	.doc = "kernel tracepoints with their fields (DTrace's sdt)",
	.list = tracepoint_list,
	.args = tracepoint_args,
	.without_args = without_args,
	.attach = tracepoint_attach,
	.late = tracepoint_late,
	.list_modules = tracepoint_list_modules,
	.missing = tracepoint_missing,
};

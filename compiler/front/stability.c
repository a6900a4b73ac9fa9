/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stability.c - stability of what programs use (-v, -x amin), versions of D, and the
 * pragmas about identifiers (attributes, binding).
 *
 * A pragma may come before or after its name: it is kept, applied when the name
 * becomes known, and reported at the end if the name is unknown.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/builtin.h"
#include "compiler/front/parse.h"

struct pragma_ident {
	const char *name, *attr, *version;       /* one of the two */
	bool provider, used;
	struct range at;
	struct pragma_ident *next;
};

/* ---- names, data, class ------------------------------------------------------------- */

static const char *const levels[] = {            /* low to high */
	"Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard",
};
static const char *const classes[] = {
	"Unknown", "CPU", "Platform", "Group", "ISA", "Common",
};

struct attr {
	u8 name, data, class;
};

static const struct attr attr_stable = { 6, 6, 5 }, attr_private = { 1, 1, 0 };

static int attr_word(const char *const *words, u32 n, const char *text, size_t len)
{
	for (u32 i = 0; i < n; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], text, len))
			return i;
	return -1;
}

static bool attr_parse(const char *text, struct attr *a)
{
	const char *data = strchr(text, '/'), *class = data ? strchr(data + 1, '/') : NULL;
	int v[3];

	if (!class)
		return false;
	v[0] = attr_word(levels, ARRAY_SIZE(levels), text, data - text);
	v[1] = attr_word(levels, ARRAY_SIZE(levels), data + 1, class - data - 1);
	v[2] = attr_word(classes, ARRAY_SIZE(classes), class + 1, strlen(class + 1));
	*a = (struct attr){ v[0], v[1], v[2] };
	return v[0] >= 0 && v[1] >= 0 && v[2] >= 0;
}

bool stability_valid(const char *text)
{
	struct attr a;

	return attr_parse(text, &a);
}

static void attr_min(struct attr *a, struct attr b)
{
	a->name = MIN(a->name, b.name);
	a->data = MIN(a->data, b.data);
	a->class = MIN(a->class, b.class);
}

/* ---- probes ---------------------------------------------------------------------------- */

static struct attr prov_attr(const char *prov, u32 field)
{
	struct attr a = attr_private;

	attr_parse(provider_stability(prov, field), &a);
	return a;
}

/* The stability of the fields that the description names. */
static struct attr attr_of_desc(const struct pdesc *d, const struct dtx_probe *p)
{
	const char *fields[] = { d->pat.prov, d->pat.mod, d->pat.func, d->pat.name };
	struct attr a = prov_attr(p->prov, STAB_PROVIDER);

	for (u32 i = 1; i < ARRAY_SIZE(fields); i++)
		if (fields[i] && *fields[i])
			attr_min(&a, prov_attr(p->prov, i));
	return a;
}

/* ---- statements -------------------------------------------------------------------------- */

struct uses {
	struct comp *c;
	struct inst *inst;
	struct attr min;
};

static struct pragma_ident *pragma_of(struct comp *c, const char *name, bool provider)
{
	for (struct pragma_ident *p = c->front->pragmas; p; p = p->next)
		if (p->attr && p->provider == provider && !strcmp(p->name, name))
			return p;
	return NULL;
}

static bool uses_node(struct node *n, void *arg)
{
	struct uses *u = arg;
	const struct pragma_ident *p;
	struct attr a = attr_stable;
	const struct type *su;

	if (n->at.src && n->at.src->is_library)
		return true;             /* inside of a translator of the library */
	if ((n->kind == N_VAR || n->kind == N_ASSOC) && n->sym) {
		p = pragma_of(u->c, n->sym->name, false);
		if (p)
			attr_parse(p->attr, &a);
	} else if (n->kind == N_ARG && u->inst->nprobes) {
		a = prov_attr(u->inst->probes[0]->prov, STAB_ARGS);
	} else if (n->kind == N_KSYM) {
		a = attr_private;
	} else if (n->kind == N_BUILTIN && builtin_is(n->row, BI_curthread)) {
		a = (struct attr){ 6, 1, 5 };
	} else if (n->kind == N_MEMBER && n->a) {
		su = type_base(n->op == OP_ARROW ? type_target(n->a->type) : n->a->type);
		if (su && su->btf_id)
			a = attr_private;
	}
	attr_min(&u->min, a);
	return true;
}

static struct attr attr_of_body(struct comp *c, struct inst *i)
{
	struct uses u = { .c = c, .inst = i, .min = attr_stable };

	clause_walk(i->pred, i->body, uses_node, &u);
	return u.min;
}

/* ---- programs ------------------------------------------------------------------------------ */

static void attr_text(struct buf *b, const char *title, struct attr a)
{
	buf_printf(b,
		   "\tMinimum %s Attributes\n\t\tIdentifier Names: %s\n"
		   "\t\tData Semantics:   %s\n\t\tDependency Class: %s\n",
		   title, levels[a.name], levels[a.data], classes[a.class]);
}

static bool amin_check(struct comp *c, const struct inst *i, struct attr a)
{
	const char *text = opt_text(c->env, OPT_amin);
	struct attr min;

	if (!*text || !attr_parse(text, &min))
		return true;
	if (a.name >= min.name && a.data >= min.data && a.class >= min.class)
		return true;
	diag_error(&c->env->diags, D_ATTR_MIN, i->clause->at,
		   "the attributes %s/%s/%s are below the minimum %s", levels[a.name],
		   levels[a.data], classes[a.class], text);
	return false;
}

static void stability_of(struct comp *c, const struct dtx_program *p, struct img_desc *desc)
{
	struct attr probes = attr_stable, body = attr_stable, one;
	struct buf b = { 0 };

	for (struct inst *i = c->insts; i; i = i->next) {
		if (i->clause->prog != p)
			continue;
		for (u32 k = 0; k < i->nprobes; k++)
			if (!k || strcmp(i->probes[k]->prov, i->probes[k - 1]->prov))
				attr_min(&probes, attr_of_desc(i->desc, i->probes[k]));
		one = attr_of_body(c, i);
		attr_min(&body, one);
		attr_min(&one, probes);
		if (!amin_check(c, i, one))
			return;
	}
	attr_text(&b, "Probe Description", probes);
	buf_putc(&b, '\n');
	attr_text(&b, "Statement", body);
	desc->stability = arena_strdup(c->img->arena, b.data);
	buf_free(&b);
}

bool stability_check(struct comp *c)
{
	for (u32 i = 0; i < c->nprogs && i < c->img->ndescs; i++)
		stability_of(c, &c->progs[i], &c->img->descs[i]);
	return !c->env->diags.nerrors;
}

/* ---- versions of D -------------------------------------------------------------------- */

static const char *const versions[] = {
	"1.0", "1.1", "1.2", "1.2.1", "1.2.2", "1.3", "1.4", "1.4.1", "1.5", "1.6", "1.6.1",
	"1.6.2", "1.6.3", "1.6.4", "2.0", "1.7", "1.7.1", "1.8", "1.8.1", "1.9", "1.9.1",
	"1.10", "1.11", "1.12", "1.12.1", "1.13",
};

/* X.Y.Z as a comparable number, -1: malformed. */
static s64 version_number(const char *text)
{
	u32 v[3] = { 0 };
	int n = 0, end = 0;

	n = sscanf(text, "%u%n.%u%n.%u%n", &v[0], &end, &v[1], &end, &v[2], &end);
	if (n < 1 || text[end] || v[0] > 255 || v[1] > 4095 || v[2] > 4095)
		return -1;
	return (s64)v[0] << 24 | v[1] << 12 | v[2];
}

bool version_known(const char *text)
{
	s64 wanted = version_number(text);

	for (u32 i = 0; wanted >= 0 && i < ARRAY_SIZE(versions); i++)
		if (version_number(versions[i]) == wanted)
			return true;
	return false;
}

bool stability_options(struct comp *c)
{
	const char *version = opt_text(c->env, OPT_version), *amin = opt_text(c->env, OPT_amin);
	struct range nowhere = { 0 };

	if (*version && !version_known(version))
		diag_error(&c->env->diags, DIAG_NONE, nowhere, version_number(version) < 0 ?
			   "failed to set -x version: '%s' is not X.Y.Z" :
			   "failed to set -x version: there is no version %s of D", version);
	else if (*amin && !stability_valid(amin))
		diag_error(&c->env->diags, DIAG_NONE, nowhere,
			   "failed to set -x amin: '%s' is not of the form NAME/DATA/CLASS", amin);
	else
		return true;
	return false;
}

/* ---- pragmas -------------------------------------------------------------------------- */

static struct sym *pragma_find(struct comp *c, const char *name)
{
	struct sym *s = NULL;

	for (u32 i = 0; !s && i < ARRAY_SIZE(c->front->names); i++)
		s = map_get(c->front->names[i], name);
	return s && !s->lib ? s : NULL;
}

static void pragma_apply(struct comp *c, struct pragma_ident *p, struct sym *s)
{
	const char *version = opt_text(c->env, OPT_version);

	p->used = true;
	if (p->version && *version && version_number(version) < version_number(p->version))
		s->hidden = true;
}

void pragma_keep(struct comp *c, const char *name, const char *attr, const char *version,
		 bool provider, struct range at)
{
	struct pragma_ident *p = ARENA_NEW(c->arena, struct pragma_ident);
	struct sym *s = provider ? NULL : pragma_find(c, name);

	*p = (struct pragma_ident){ name, attr, version, provider, false, at, c->front->pragmas };
	c->front->pragmas = p;
	if (s)
		pragma_apply(c, p, s);
}

/* A name became known. */
void pragma_named(struct comp *c, struct sym *s)
{
	for (struct pragma_ident *p = c->front->pragmas; p; p = p->next)
		if (!p->provider && !strcmp(p->name, s->name))
			pragma_apply(c, p, s);
}

static bool pragma_provider_known(struct comp *c, const char *name)
{
	for (struct provdef *d = c->ast.provdefs; d; d = d->next)
		if (!strcmp(d->name, name))
			return true;
	return provider_by_name(name);
}

void pragma_finish(struct comp *c)
{
	struct diag *d;

	for (struct pragma_ident *p = c->front->pragmas; p; p = p->next) {
		if (p->used || (p->provider && pragma_provider_known(c, p->name)) ||
		    map_get(c->front->types[3], p->name))
			continue;
		d = diag_error(&c->env->diags, D_PRAGMA_UNUSED, p->at,
			       "the program declares no '%s' for this pragma", p->name);
		diag_hint(&c->env->diags, d, "pragmas apply only to what the program itself "
					     "declares");
	}
}

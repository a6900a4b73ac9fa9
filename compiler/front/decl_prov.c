/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decl_prov.c - definitions of translators and providers.
 */
#include <ctype.h>

#include <dtx/tables/loc.h>
#include <dtx/tag.h>

#include "compiler/front/front.h"
#include "compiler/front/parse.h"

/* ---- translators ------------------------------------------------------------------- */

struct translator *translator_begin(struct lexer *lx, struct type *out, struct type *in,
			       const char *param, struct range at)
{
	struct comp *c = lx->comp;
	struct translator *x = ARENA_NEW(c->arena, struct translator);
	struct diag *d;

	x->out = out;
	x->in = in;
	x->param = param;
	x->at = at;
	if (!type_is_struct(out))
		diag_error(&c->env->diags, D_XLATE_SOU, at,
			   "a translator makes a struct or union, not '%s'",
			   type_name(c->arena, out));
	else if (scope_complete(c, type_base(out))->incomplete)
		diag_error(&c->env->diags, D_XLATE_SOU, at,
			   "a translator makes a complete struct or union; '%s' is not defined",
			   type_name(c->arena, out));
	for (struct translator *o = c->ast.xlates; o; o = o->next) {
		if (!type_compat(c, o->out, out) || !type_compat(c, o->in, in))
			continue;
		d = diag_error(&c->env->diags, D_XLATE_REDECL, at,
			       "there is a translator from '%s' to '%s' already",
			       type_name(c->arena, in), type_name(c->arena, out));
		diag_note(&c->env->diags, d, o->at, "it is here");
		break;
	}
	return x;
}

/* While members are read, the list is in reverse order. */
struct translator *translator_member(struct lexer *lx, struct translator *x, const char *name,
				struct node *expr, struct range at)
{
	struct xlate_member *m = ARENA_NEW(lx->comp->arena, struct xlate_member);
	u32 bit_off = 0;

	m->name = name;
	m->expr = expr;
	m->at = at;
	m->next = x->members;
	x->members = m;
	if (type_is_struct(x->out) && !type_base(x->out)->incomplete &&
	    !type_find_member(type_base(x->out), name, &bit_off))
		diag_error(&lx->comp->env->diags, D_XLATE_MEMB, at, "'%s' has no member '%s'",
			   type_name(lx->comp->arena, x->out), name);
	return x;
}

void translator_end(struct lexer *lx, struct translator *x)
{
	struct xlate_member *list = NULL, *next;

	for (struct xlate_member *m = x->members; m; m = next) {
		next = m->next;
		m->next = list;
		list = m;
	}
	x->members = list;
	*lx->comp->ast.xlates_last = x;
	lx->comp->ast.xlates_last = &x->next;
	toplevel_add(lx->comp, TOP_XLATE, x);
	lx->nexternals++;
}

/* ---- providers ------------------------------------------------------------------------ */

#define PROV_NAME_MAX   63
#define PROV_ARGS_MAX   255

struct provdef *provdef_begin(struct lexer *lx, const char *name, struct range at)
{
	struct provdef *p = ARENA_NEW(lx->comp->arena, struct provdef);
	size_t len = strlen(name);

	p->name = name;
	p->at = at;
	if (len > PROV_NAME_MAX || strchr(name, '`') || isdigit((unsigned char)name[len - 1]))
		diag_error(&lx->comp->env->diags, D_PROV_BADNAME, at,
			   "the name of a provider has at most %d characters, no '`' and no digit "
			   "at its end", PROV_NAME_MAX);
	return p;
}

struct provdef_probe *provdef_proto(struct lexer *lx, const char *name, struct params native,
				    const struct params *mapped, struct range at)
{
	struct provdef_probe *p = ARENA_NEW(lx->comp->arena, struct provdef_probe);
	struct diags *ds = &lx->comp->env->diags;

	p->name = name;
	p->at = at;
	p->native = params_members(lx, &native, &p->nnative);
	if (mapped) {
		p->has_mapped = true;
		struct params list = *mapped;

		list.repeats = true;
		p->mapped = params_members(lx, &list, &p->nmapped);
	}
	if (strlen(name) > PROV_NAME_MAX || strchr(name, '`'))
		diag_error(ds, D_PROV_BADNAME, at,
			   "the name of a probe has at most %d characters and no '`'",
			   PROV_NAME_MAX);
	if (p->nnative > PROV_ARGS_MAX || p->nmapped > PROV_ARGS_MAX)
		diag_error(ds, D_PROV_PRARGLEN, at, "a probe has at most %d arguments",
			   PROV_ARGS_MAX);
	return p;
}

struct provdef *provdef_probe(struct lexer *lx, struct provdef *def, struct provdef_probe *p)
{
	p->next = def->probes;
	def->probes = p;
	return def;
}

static bool params_alike(struct comp *c, const struct type_member *a, u32 na,
			 const struct type_member *b, u32 nb)
{
	for (u32 i = 0; i < na && na == nb; i++)
		if (!type_compat(c, a[i].type, b[i].type))
			return false;
	return na == nb;
}

/* The same provider may be declared again, with the same prototypes. */
static void provdef_again(struct lexer *lx, const struct provdef *def,
			  const struct provdef_probe *p)
{
	struct comp *c = lx->comp;
	struct diag *d;

	for (const struct provdef *o = c->ast.provdefs; o; o = o->next) {
		for (const struct provdef_probe *q = o->probes; q; q = q->next) {
			if (strcmp(o->name, def->name) || strcmp(q->name, p->name) ||
			    (params_alike(c, q->native, q->nnative, p->native, p->nnative) &&
			     params_alike(c, q->mapped, q->nmapped, p->mapped, p->nmapped)))
				continue;
			d = diag_error(
				&c->env->diags, D_PROV_INCOMPAT, p->at,
				"probe '%s' of provider '%s' has other arguments than before",
				p->name, def->name);
			diag_note(&c->env->diags, d, q->at, "it was declared here");
		}
	}
}

static bool xlate_exists(struct comp *c, struct type *out, struct type *in)
{
	struct type *to = type_target(out);

	if (type_assignable(c, out, in, NULL) || (to && type_base(to)->origin == lib_origin))
		return true;
	for (const struct translator *x = c->ast.xlates; x; x = x->next)
		if (type_compat(c, x->out, to ? to : out) && type_compat(c, x->in, in))
			return true;
	return false;
}

/* probe p(native) : (mapped): each mapped argument is a native one, as it is or translated. */
static void provdef_mapped(struct lexer *lx, const struct provdef_probe *p)
{
	struct comp *c = lx->comp;
	u32 k;

	for (u32 i = 0; i < p->nmapped; i++) {
		const struct type_member *m = &p->mapped[i];

		for (k = 0; m->name && k < p->nnative; k++)
			if (p->native[k].name && !strcmp(p->native[k].name, m->name))
				break;
		if (!m->name)
			continue;
		if (k == p->nnative)
			diag_error(&c->env->diags, D_PROV_PRXLATOR, p->at,
				   "probe '%s' has no native argument '%s' to map", p->name,
				   m->name);
		else if (!xlate_exists(c, m->type, p->native[k].type))
			diag_error(&c->env->diags, D_PROV_PRXLATOR, p->at,
				   "there is no translator from '%s' to '%s' for argument '%s'",
				   type_name(c->arena, p->native[k].type),
				   type_name(c->arena, m->type), m->name);
	}
}

void provdef_end(struct lexer *lx, struct provdef *def)
{
	struct map *seen = map_new();
	struct provdef_probe *list = NULL, *next;

	for (struct provdef_probe *p = def->probes; p; p = next) {
		next = p->next;
		p->next = list;
		list = p;
	}
	def->probes = list;
	for (struct provdef_probe *p = list; p; p = p->next) {
		if (map_get(seen, p->name))
			diag_error(&lx->comp->env->diags, D_PROV_PRDUP, p->at,
				   "probe '%s' is declared twice", p->name);
		map_set(seen, p->name, p);
		provdef_again(lx, def, p);
		provdef_mapped(lx, p);
	}
	map_free(seen);
	*lx->comp->ast.provdefs_last = def;
	lx->comp->ast.provdefs_last = &def->next;
	toplevel_add(lx->comp, TOP_PROVDEF, def);
	lx->nexternals++;
}

/* "query-start" of the probe against "query__start" of the declaration. */
static bool provdef_same_name(const char *probe, const char *declared)
{
	while (*probe && *declared) {
		if (*probe == '-' && declared[0] == '_' && declared[1] == '_')
			declared++;
		else if (*probe != *declared)
			return false;
		probe++;
		declared++;
	}
	return !*probe && !*declared;
}

/* "app" or "app123". */
static bool provdef_same_provider(const char *probe, const char *declared)
{
	size_t n = strlen(declared);

	return !strncmp(probe, declared, n) && !probe[n + strspn(probe + n, "0123456789")];
}

static void provdef_native(struct dtx_probe *p, const struct provdef_probe *q)
{
	for (u32 i = 0; i < MIN(p->args.n, q->nnative); i++) {
		p->args.v[i].type = q->native[i].type;
		p->args.v[i].name = q->native[i].name;
	}
}

/* The native argument, converted to the declared type. */
static struct dtx_arg provdef_map_one(struct comp *c, const struct dtx_probe *p,
				      const struct provdef_probe *q, u32 index)
{
	const struct type_member *m = &q->mapped[index];
	struct dtx_arg a = { .loc = LOC_NONE, .name = m->name, .type = m->type };
	u32 k = m->name ? 0 : index;

	while (m->name && k < q->nnative &&
	       (!q->native[k].name || strcmp(q->native[k].name, m->name)))
		k++;
	if (k >= MIN(p->args.n, q->nnative))
		return a;
	a = p->args.v[k];
	if (!m->type)
		return a;
	if (type_assignable(c, m->type, a.type, NULL))
		a.type = m->type;
	else
		a.xlate = type_name(c->env->arena, m->type);
	return a;
}

/* argN are still the native ones; args[] are the list after them. */
static void provdef_map(struct comp *c, struct dtx_probe *p, const struct provdef_probe *q)
{
	struct dtx_arg *args = ARENA_ARRAY(c->env->arena, struct dtx_arg, p->args.n + q->nmapped);

	for (u32 i = 0; i < p->args.n; i++)
		args[i] = p->args.v[i];
	for (u32 i = 0; i < q->nmapped; i++)
		args[p->args.n + i] = provdef_map_one(c, p, q, i);
	p->args.mapped_at = p->args.n;
	p->args.n += q->nmapped;
	p->args.v = args;
	p->args.untyped = false;
}

static bool provdef_declared(struct comp *c, struct dtx_probe *p)
{
	bool found = false;

	for (const struct provdef *d = c->ast.provdefs; d; d = d->next) {
		if (!provdef_same_provider(p->prov, d->name))
			continue;
		for (const struct provdef_probe *q = d->probes; q; q = q->next) {
			if (!provdef_same_name(p->name, q->name))
				continue;
			found = true;
			provdef_native(p, q);
			if (q->has_mapped && !p->args.mapped_at && p->args.n)
				provdef_map(c, p, q);
		}
	}
	return found;
}

/* The types that the probed program names; those that this program does not know are NULL. */
static struct type_member *provdef_params(struct comp *c,
					   const struct dtx_proto_param *v, u32 n)
{
	struct type_member *m = ARENA_ARRAY(c->arena, struct type_member, n + 1);

	for (u32 i = 0; i < n; i++) {
		m[i].name = *v[i].name ? v[i].name : NULL;
		m[i].type = type_parse(c, v[i].type);
	}
	return m;
}

/* What the probed program itself says (usdtnote.c). */
static void provdef_noted(struct comp *c, struct dtx_probe *p)
{
	const struct dtx_proto *o = p->args.proto;
	struct provdef_probe q = {
		.native = provdef_params(c, o->native, o->nnative), .nnative = o->nnative,
		.mapped = provdef_params(c, o->mapped, o->nmapped), .nmapped = o->nmapped,
	};

	for (u32 i = 0; i < MIN(p->args.n, q.nnative); i++)
		if (!q.native[i].type)
			q.native[i].type = type_parse(c, p->args.v[i].ctype);
	provdef_native(p, &q);
	if (o->has_mapped && p->args.n)
		provdef_map(c, p, &q);
}

void provdef_apply(struct comp *c, struct dtx_probe *p)
{
	p->args.mapped_at = 0;
	if (strcmp(p->provider->name, "usdt"))
		return;
	if (provdef_declared(c, p))
		p->args.proto = NULL;
	else if (p->args.proto)
		provdef_noted(c, p);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * args.c - what is known of the arguments of the probes here; nothing here checks an expression.
 */
#include <dtx/tables/loc.h>

#include "compiler/check/check-private.h"

#define ARGS_TOLD  12            /* more are a list of their own */

/* The arguments from the n-th on; a probe may have none. */
static struct args args_from(const struct dtx_probe *p, u32 n)
{
	return (struct args){ p->args.v ? p->args.v + n : NULL, p->args.n - n, n, p->args.untyped };
}

struct args check_args_of(const struct comp *c, const struct dtx_probe *p)
{
	const struct dtx_stable *st = p->stable;

	if (!st)
		return args_from(p, p->args.mapped_at);
	if (c->check->args == ARGS_OF_PLACE)
		return args_from(p, st->nargs);
	return (struct args){ p->args.v, st->nargs, 0, false };
}

u32 arg_nprobes(const struct comp *c)
{
	return c->check->inst ? c->check->inst->nprobes : 0;
}

/* The arguments of the first probe; none if there is no probe, or more than `most`. */
struct args args_here(const struct comp *c, u32 most)
{
	u32 n = arg_nprobes(c);

	return n && n <= most ? check_args_of(c, c->check->inst->probes[0]) : (struct args){ 0 };
}

const char *arg_probe_text(struct comp *c, const struct dtx_probe *p)
{
	return arena_printf(c->env->arena, PROBE_NAME, PROBE_PARTS(p));
}

int args_ask_one(struct comp *c, struct dtx_probe *p, enum args_state want)
{
	int asked = provider_args(c->env, p, want);

	if (asked > 0)
		provdef_apply(c, p);
	return asked;
}

/* Asks the providers.  It is no use of the arguments. */
bool args_ask(struct comp *c, enum args_state want)
{
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		struct dtx_probe *p = c->check->inst->probes[i];

		if (args_ask_one(c, p, want) >= 0)
			continue;
		diag_error(&c->env->diags, DIAG_NONE, c->check->inst->desc->at,
			   "the arguments of %s cannot be determined: %s", arg_probe_text(c, p),
			   diags_take(&c->env->diags, "the reason is unknown"));
		return false;
	}
	return true;
}

bool check_args_known(struct comp *c)
{
	if (!c->check->inst || c->check->inst->asked == ARGS_TYPED)
		return true;
	c->check->inst->asked = ARGS_TYPED;
	return args_ask(c, ARGS_TYPED);
}

/*
 * A field of an event whose type is known nowhere, as of one that only a module declares and that
 * has no BTF, or is known in another size, from another module: what the kernel's format says, a
 * number or a pointer.  NULL: neither.
 */
static struct type *arg_by_format(struct comp *c, const struct dtx_arg *a)
{
	static const char *const numbers[][2] = {
		[1] = { "uint8_t", "int8_t" },   [2] = { "uint16_t", "int16_t" },
		[4] = { "uint32_t", "int32_t" }, [8] = { "uint64_t", "int64_t" },
	};
	const char *text = a->ctype ? a->ctype : "";

	if (strchr(text, '*') && !strchr(text, '['))
		return type_ptr(c->env->arena, &ty_void);
	if (strchr(text, '[') || !strncmp(text, "struct ", 7) || !strncmp(text, "union ", 6) ||
	    a->size >= ARRAY_SIZE(numbers))
		return NULL;
	return numbers[a->size][0] ? type_builtin(numbers[a->size][a->is_signed]) : NULL;
}

struct type *check_arg_type(struct comp *c, struct dtx_arg *a)
{
	struct type *by_format;
	bool is_field, fits;

	if (!a->type && a->ctype)
		a->type = type_parse(c, a->ctype);
	is_field = a->ctype && a->loc == LOC_CTX;
	fits = a->type && (!type_is_int(a->type) || !is_field ||
			   type_size(c, a->type) <= a->size);
	/* An enum that the kernel's types only name. */
	if (a->type && type_base(a->type)->kind == T_ENUM && !type_size(c, a->type))
		is_field = true, fits = false;
	by_format = is_field && !fits ? arg_by_format(c, a) : NULL;
	if (by_format)
		a->type = by_format;
	return a->type;
}

bool arg_typed(const struct comp *c, const struct dtx_probe *p)
{
	struct args a = check_args_of(c, p);

	return !a.untyped && a.n;
}

static int arg_index_of(const struct comp *c, const struct dtx_probe *p, const char *name)
{
	struct args a = check_args_of(c, p);

	for (u32 i = 0; i < a.n; i++)
		if (a.v[i].name && !strcmp(a.v[i].name, name))
			return i;
	return -1;
}

int check_arg_index(const struct comp *c, struct dtx_probe *p, const char *name)
{
	int i = arg_index_of(c, p, name);

	return i < 0 && !p->stable && !p->late && p->provider->named && p->args.state &&
	       p->provider->named(c->env, p, name) ?
	       arg_index_of(c, p, name) : i;
}

/* Names of the values of an argument: the same field in each probe, from the first. */
struct type *check_arg_names(struct comp *c, u32 index)
{
	struct args a = args_here(c, 1);

	return index < a.n ? a.v[index].names : NULL;
}

const struct dtx_arg *check_arg_look(struct comp *c, u32 probe, u32 index)
{
	struct dtx_probe *p = probe < arg_nprobes(c) ? c->check->inst->probes[probe] : NULL;

	if (!p || strcmp(p->prov, "syscall") || !args_ask(c, ARGS_TYPED) || !arg_typed(c, p) ||
	    index >= p->args.n)
		return NULL;
	return check_arg_type(c, &p->args.v[index]) ? &p->args.v[index] : NULL;
}

const struct dtx_arg *check_arg_of_call(struct comp *c, u32 probe, u32 index)
{
	if (probe < arg_nprobes(c) && !strcmp(c->check->inst->probes[probe]->prov, "syscall") &&
	    !check_args_known(c))
		return NULL;
	return check_arg_look(c, probe, index);
}

/* Does one of the probes here have an argument of that name? */
bool arg_somewhere(struct comp *c, const char *name)
{
	if (!arg_nprobes(c) || !check_args_known(c))
		return false;
	for (u32 i = 0; i < c->check->inst->nprobes; i++)
		if (check_arg_index(c, c->check->inst->probes[i], name) >= 0)
			return true;
	return false;
}

/* Have probes of the description in other instances a parameter of this name? */
static bool arg_of_others(struct comp *c, const char *name)
{
	const struct pdesc *d = c->check->inst ? c->check->inst->desc : NULL;

	for (u32 i = 0; d && d->nprobes > c->check->inst->nprobes && i < d->nprobes; i++)
		if (d->probes[i]->args.state && check_arg_index(c, d->probes[i], name) >= 0)
			return true;
	return false;
}

bool check_arg_known(struct comp *c, const char *name)
{
	return arg_somewhere(c, name) || arg_of_others(c, name);
}

int check_arg_find(struct comp *c, const char *name)
{
	int found = -1;

	if (!arg_nprobes(c) || !check_args_known(c))
		return -1;
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		int at = check_arg_index(c, c->check->inst->probes[i], name);

		if (i && at != found)
			return -1;
		found = at;
	}
	return found;
}

void near_args(struct comp *c, struct near *near)
{
	if (!arg_nprobes(c) || c->check->inst->asked != ARGS_TYPED)
		return;
	struct args a = check_args_of(c, c->check->inst->probes[0]);
	for (u32 i = 0; i < a.n; i++)
		near_offer(near, a.v[i].name);
}

/* "it has fd, buf and count" */
const char *near_arg_list(struct comp *c)
{
	struct args a = check_args_of(c, c->check->inst->probes[0]);
	struct buf b = { 0 };
	const char *said;

	for (u32 i = 0; i < a.n && a.n <= ARGS_TOLD; i++)
		if (a.v[i].name)
			buf_printf(&b, "%s%s", !b.len ? "it has " : i == a.n - 1 ? " and " : ", ",
				   a.v[i].name);
	said = b.len ? arena_strdup(c->env->arena, b.data) : TOOL " -lv lists the parameters";
	buf_free(&b);
	return said;
}

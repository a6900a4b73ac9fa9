/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sig.c - the signature language of builtins.def: parses it and checks arguments.
 *
 * A wrong number of arguments is D_PROTO_LEN, a wrong type D_PROTO_ARG.  Rules that a
 * signature cannot express (constants, formats, aggregations) are in check_call.c and
 * check_agg.c.
 */
#include <ctype.h>

#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

static enum param_kind sig_kind(const char *text)
{
	static const struct { const char *text; enum param_kind kind; } kinds[] = {
		{ "scalar", PARAM_SCALAR }, { "pointer", PARAM_POINTER },
		{ "memory", PARAM_MEMORY },
		{ "string", PARAM_STRING }, { "any", PARAM_ANY }, { "agg", PARAM_AGG },
		{ "format", PARAM_FORMAT }, { "const", PARAM_CONST }, { "const int", PARAM_CONST },
		{ "strlit", PARAM_STRLIT },
	};

	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(text, kinds[i].text))
			return kinds[i].kind;
	return PARAM_TYPE;
}

static const char *sig_trim(struct comp *c, const char *from, const char *to)
{
	while (from < to && isspace((unsigned char)*from))
		from++;
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	return arena_strndup(c->env->arena, from, to - from);
}

static void sig_param(struct comp *c, struct sig *s, const char *from, const char *to)
{
	const char *text = sig_trim(c, from, to);
	struct sigparam *p = &s->params[s->nparams];

	if (!*text)
		return;
	if (!strcmp(text, "...")) {
		s->variadic = true;
		return;
	}
	p->optional = *text == '[';
	if (p->optional)
		text = sig_trim(c, text + 1, text + strlen(text) - 1);
	p->text = text;
	p->kind = sig_kind(text);
	if (p->kind == PARAM_TYPE)
		p->type = type_parse(c, text);
	s->nparams++;
	if (!p->optional)
		s->nrequired = s->nparams;
}

/* "result (a, b, [c], ...)"; without a result only the parameters. */
const struct sig *sig_parse(struct comp *c, const char *text)
{
	struct sig *s = ARENA_NEW(c->env->arena, struct sig);
	const char *open = strchr(text, '('), *p, *from;

	s->result = &ty_void;
	if (open) {
		s->result = type_parse(c, sig_trim(c, text, open));
		from = open + 1;
	} else {
		from = text;
	}
	for (p = from; *p && *p != ')'; p++)
		if (*p == ',') {
			sig_param(c, s, from, p);
			from = p + 1;
		}
	sig_param(c, s, from, p);
	return s;
}

/* ---- arguments -------------------------------------------------------------------- */

static bool sig_takes_type(struct comp *c, const struct sigparam *p, const struct node *arg)
{
	struct type *want = p->type;

	if (!want)
		return type_is_scalar(arg->type) || type_is_array(arg->type);
	if (type_is_int(want)) {
		if (!strcmp(p->text, "uintptr_t"))
			return type_is_scalar(arg->type) || type_is_array(arg->type);
		return type_is_int(arg->type);
	}
	return type_assignable(c, want, arg->type, arg);
}

static bool sig_takes(struct comp *c, const struct sigparam *p, const struct node *arg)
{
	if (type_is_dyn(arg->type) || type_is_void(arg->type))
		return p->kind == PARAM_ANY || p->kind == PARAM_AGG || p->kind == PARAM_FORMAT;
	switch (p->kind) {
	case PARAM_SCALAR:
		return type_is_scalar(arg->type);
	case PARAM_POINTER:
		return type_target(arg->type) || check_is_null(arg);
	case PARAM_MEMORY:
		return type_target(arg->type) || type_is_string(arg->type) || check_is_null(arg);
	case PARAM_STRING:
		return type_is_strcompat(arg->type) || check_is_null(arg) ||
		       (type_is_ptr(arg->type) && type_is_void(type_target(arg->type)));
	case PARAM_CONST:
		return type_is_int(arg->type);
	case PARAM_TYPE:
		return sig_takes_type(c, p, arg);
	default:
		return true;
	}
}

static void sig_length(struct comp *c, const struct sig *s, const char *what, struct range at,
		       u32 given)
{
	const char *than = given < s->nrequired && (s->variadic || s->nrequired < s->nparams) ?
			   "at least " : given > s->nparams && s->nrequired < s->nparams ?
			   "at most " : "";
	u32 want = given < s->nrequired ? s->nrequired : s->nparams;
	struct diag *d =
		diag_error(&c->env->diags, D_PROTO_LEN, at, "%s() takes %s%u argument%s, not %u",
			   what, than, want, want == 1 ? "" : "s", given);
	struct buf b = { 0 };

	buf_printf(&b, "%s(", what);
	for (u32 i = 0; i < s->nparams; i++)
		buf_printf(&b, "%s%s%s%s", i ? ", " : "", s->params[i].optional ? "[" : "",
			   s->params[i].text, s->params[i].optional ? "]" : "");
	buf_printf(&b, "%s)", s->variadic ? s->nparams ? ", ..." : "..." : "");
	diag_hint(&c->env->diags, d, !builtin_named(what, BI_exit) ? "its parameters are %s" :
		  "its parameters are %s; 0 is success", b.data);
	buf_free(&b);
}

static const char *sig_want_text(const struct sigparam *p)
{
	switch (p->kind) {
	case PARAM_SCALAR:
		return "an integer or a pointer";
	case PARAM_POINTER:
	case PARAM_MEMORY:
		return "a pointer";
	case PARAM_STRING:
		return "a string";
	case PARAM_CONST:
		return "an integer constant";
	default:
		return NULL;
	}
}

static void sig_mismatch(struct comp *c, const struct sigparam *p, const char *what, u32 i,
			 const struct node *arg)
{
	const char *want = sig_want_text(p);
	struct diag *d;

	if (!want)
		want = arena_printf(c->env->arena, "'%s'", p->text);
	if (p->kind != PARAM_STRING && check_operand_bad(c, D_PROTO_ARG, arg))
		return;
	d = diag_error(&c->env->diags, D_PROTO_ARG, arg->at,
		       "argument %u of %s() must be %s, not '%s'", i + 1, what, want,
		       TYPE_TEXT(c, arg->type));
	if (p->kind == PARAM_STRING && type_is_scalar(arg->type))
		diag_hint(&c->env->diags, d, "read a string at a kernel address with stringof(), "
					     "at a user address with copyinstr()");
	if (p->kind == PARAM_STRING)
		check_text_hint(c, d, arg);
	if (arg->kind == N_AGGREF)
		check_operand_hint(c, d, arg);
}

static void sig_warn_lost(struct comp *c, const struct sigparam *p, const char *what, u32 i,
			  const struct node *arg)
{
	if (p->kind == PARAM_TYPE && p->type && fold_loses(c, arg, p->type))
		diag_warn(&c->env->diags, DIAG_NONE, arg->at,
			  "argument %u of %s() is '%s', which does not hold %lld: bits are lost",
			  i + 1, what, p->text, (long long)arg->value);
}

static struct node *sig_convert(struct comp *c, const struct sigparam *p, struct node *arg)
{
	if (p->kind == PARAM_STRING && !check_is_null(arg))
		return check_to_string(c, arg);
	if (p->kind == PARAM_TYPE && p->type && type_is_int(p->type) && type_is_int(arg->type))
		return check_cast(c, arg, p->type);
	return arg;
}

bool sig_length_ok(struct comp *c, const struct sig *s, const char *what, struct range at,
		   const struct node *list)
{
	u32 given = node_count(list);

	if (given >= s->nrequired && (given <= s->nparams || s->variadic))
		return true;
	sig_length(c, s, what, at, given);
	return false;
}

bool sig_check(struct comp *c, const struct sig *s, const char *what, struct range at,
	       struct node **list)
{
	u32 i = 0;
	struct node *out = NULL, **tail = &out, *next;
	bool ok = true;

	if (!sig_length_ok(c, s, what, at, *list))
		return false;
	for (struct node *n = *list; n; n = next, i++) {
		next = n->next;
		n->next = NULL;
		if (i < s->nparams && s->params[i].kind != PARAM_ANY)
			n = check_decayed(c, n);
		if (i < s->nparams && !sig_takes(c, &s->params[i], n)) {
			sig_mismatch(c, &s->params[i], what, i, n);
			ok = false;
		} else if (i < s->nparams) {
			sig_warn_lost(c, &s->params[i], what, i, n);
			n = sig_convert(c, &s->params[i], n);
		}
		*tail = n;
		tail = &n->next;
	}
	*list = out;
	return ok;
}

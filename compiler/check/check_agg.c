/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_agg.c - @name[keys] = function(arguments), and @name as an argument of actions.
 *
 * Each aggregation has one function, one set of parameters and one key signature in the
 * whole program.  Constant parameters move into the symbol; the statement keeps the
 * value and the increment, which are evaluated at each firing.
 */
#include <dtx/aggid.h>
#include <dtx/aggs.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

/* ---- @name as an argument --------------------------------------------------------- */

const char *check_aggname(const struct node *n)
{
	return n && n->kind == N_AGGREF ? n->name : NULL;
}

struct sym *check_aggref(struct comp *c, const struct node *n, u32 unknown)
{
	struct sym *s = scope_find(c, SPACE_AGG, n->name);
	struct near near = { .wanted = n->name };
	struct diag *d;

	if (s && s->agg && (s->keys || !s->keyed))
		return s;
	if (check_idle_name(c, SPACE_AGG, n->name))
		return NULL;
	d = diag_error(&c->env->diags, unknown, n->at, "unknown aggregation @%s",
		       strcmp(n->name, "_") ? n->name : "");
	near_syms(c, &near, SPACE_AGG);
	near_hint(c, d, &near, "aggregate into it in an earlier clause");
	return NULL;
}

/* ---- rules of constants -------------------------------------------------------------- */

/*
 * Rules that the ranges of the rows (AGG_CONST) cannot express; agg_rule_X for the column `rule`.
 * `at`: the arguments, NULL for one that is left out.
 */
typedef bool agg_rule(struct comp *, struct node *n, struct node *const *at, const s64 *v);

static bool agg_rule_any(struct comp *c, struct node *n, struct node *const *at, const s64 *v)
{
	return true;
}

static bool agg_rule_linear(struct comp *c, struct node *n, struct node *const *at, const s64 *v)
{
	s64 levels = (v[1] - v[0]) / v[2];

	if (v[0] >= v[1]) {
		ERR(c, D_LQUANT_MISMATCH, at[1]->at,
		    "the upper bound %lld must be above the lower bound %lld", (long long)v[1],
		    (long long)v[0]);
		return false;
	}
	if (!levels) {
		ERR(c, D_LQUANT_STEPLARGE, at[2]->at, "the step is larger than the range");
		return false;
	}
	if (levels > UINT16_MAX) {
		ERR(c, D_LQUANT_STEPSMALL, at[2] ? at[2]->at : n->at,
		    "the step makes %lld levels, more than %d", (long long)levels, UINT16_MAX);
		return false;
	}
	return true;
}

static bool agg_pow(u64 base, u64 exp, u64 *out)
{
	*out = 1;
	while (exp--)
		if (__builtin_mul_overflow(*out, base, out))
			return false;
	return true;
}

/* steps divides factor, or is a multiple of it that divides the first magnitude. */
static bool agg_steps_ok(u64 factor, u64 lmag, u64 steps)
{
	u64 range;

	if (steps <= factor)
		return factor % steps == 0;
	if (steps % factor)
		return false;
	return agg_pow(factor, lmag ? lmag + 1 : 2, &range) && range % steps == 0;
}

static bool agg_rule_loglinear(struct comp *c, struct node *n, struct node *const *at, const s64 *v)
{
	struct diag *d;
	u64 top;

	if (v[1] > v[2]) {
		ERR(c, D_LLQUANT_HMAGVAL, at[1]->at,
		    "the low magnitude %lld is above the high magnitude %lld", (long long)v[1],
		    (long long)v[2]);
		return false;
	}
	if (!agg_pow(v[0], v[2] + 1, &top)) {
		ERR(c, D_LLQUANT_HMAGVAL, n->at, "%lld to the power of %lld does not fit 64 bits",
		    (long long)v[0], (long long)v[2] + 1);
		return false;
	}
	if (agg_steps_ok(v[0], v[1], v[3]))
		return true;
	d = diag_error(&c->env->diags, D_LLQUANT_STEPVAL, at[3]->at,
		       "%lld steps do not divide the magnitudes evenly", (long long)v[3]);
	diag_hint(&c->env->diags, d,
		  "use a divisor of the factor, or a multiple of it that divides "
		  "the lowest magnitude");
	return false;
}

static agg_rule *const agg_rules[] = {
#define AGG(name, sig, words, flags, merge, value, rule, ...) agg_rule_##rule,
#include <dtx/tables/aggs.def>
};

/* ---- constants ------------------------------------------------------------------------ */

static bool agg_const(struct comp *c, const struct agg_const *k, const struct node *n, s64 *v)
{
	*v = k->value;
	if (!n)
		return true;
	if (n->kind != N_INT || (k->min == 1 && (s64)n->value < 1)) {
		ERR(c, k->type, n->at, "the %s must be %s integer constant", k->what,
		    k->min == 1 ? "a positive" : "an");
		return false;
	}
	*v = n->value;
	if (agg_const_ok(k, *v))
		return true;
	ERR(c, k->range, n->at,
	    "the %s must be between %lld and %lld, not %lld", k->what, (long long)k->min,
	    (long long)k->max, (long long)*v);
	return false;
}

/* Does a value of the aggregation fit into a map? */
static bool agg_fits(struct comp *c, struct node *n, const struct agg_const *last,
		     struct range at, const s64 *v)
{
	u64 words = agg_words(n->aggrow, v), most = IMG_AGG_MAX / sizeof(u64) - 1;
	struct diag *d;

	if (words && words <= most)
		return true;
	if (!words) {
		ERR(c, last->range, at, "the constants of %s() do not fit together", n->name);
		return false;
	}
	d = diag_error(&c->env->diags, last->range, at,
		       "the constants of %s() make %llu buckets, more than %llu", n->name,
		       (unsigned long long)words, (unsigned long long)most);
	diag_hint(&c->env->diags, d, "use wider buckets, or a smaller range");
	return false;
}

static bool agg_constants(struct comp *c, struct node *n, struct node *args, s64 *v)
{
	struct node *at[AGG_CONSTS_MAX] = { NULL };
	struct range last = n->at;
	u32 count;
	const struct agg_const *k = agg_consts(n->aggrow, &count);

	for (u32 i = 0; i < count; i++) {
		at[i] = args;
		if (!agg_const(c, &k[i], args, &v[i]))
			return false;
		if (!args)
			continue;
		last = args->at;
		args = args->next;
	}
	return agg_rules[n->aggrow->id](c, n, at, v) &&
	       (!count || agg_fits(c, n, &k[count - 1], last, v));
}

/* Are they the same as in earlier uses of the aggregation? */
static bool agg_consts_match(struct comp *c, struct node *n, struct sym *s, const s64 *v, bool was)
{
	u32 count;
	const struct agg_const *k = agg_consts(n->aggrow, &count);

	for (u32 i = 0; was && i < count; i++) {
		struct diag *d;

		if (s->params_v[i] == v[i])
			continue;
		d = diag_error(&c->env->diags, k[i].match, n->at,
			       "the %s of @%s is %lld here but was %lld", k[i].what, s->name,
			       (long long)v[i], (long long)s->params_v[i]);
		diag_note(&c->env->diags, d, s->at, "first used here");
		return false;
	}
	memcpy(s->params_v, v, count * sizeof(*v));
	s->nparams_v = count;
	return true;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* The aggregated value keeps all 64 bits of its computation, for any static type. */
static struct node *agg_scalar(struct comp *c, const char *func, struct node *n)
{
	if (type_is_scalar(n->type))
		return n;
	if (check_operand_bad(c, D_AGG_SCALAR, n))
		return NULL;
	return ERR(c, D_AGG_SCALAR, n->at, "%s() aggregates integers, not '%s'", func,
		   TYPE_TEXT(c, n->type));
}

static bool agg_length(struct comp *c, struct node *n, const struct sig *s, u32 given)
{
	u32 want = given < s->nrequired ? s->nrequired : s->nparams;
	struct diag *d;

	if (given >= s->nrequired && given <= s->nparams)
		return true;
	d = diag_error(&c->env->diags, D_PROTO_LEN, n->at,
		"%s() takes %s%u argument%s, not %u", n->name,
		s->nrequired == s->nparams ? "" : given < want ? "at least " : "at most ",
		want, want == 1 ? "" : "s", given);
	if (!s->nparams)
		diag_hint(&c->env->diags, d, "sum() adds up a value");
	return false;
}

/* Types refused by the signature, before the rules of the function are checked. */
static bool agg_types(struct comp *c, struct node *n, u32 nconsts)
{
	struct node *arg = n->b ? n->b->next : NULL;

	for (u32 i = 0; arg; i++, arg = arg->next) {
		if (i < nconsts ? type_is_int(arg->type) : type_is_scalar(arg->type))
			continue;
		ERR(c, D_PROTO_ARG, arg->at, "argument %u of %s() must be an integer, not '%s'",
		    i + 2, n->name, TYPE_TEXT(c, arg->type));
		return false;
	}
	return true;
}

static bool agg_args(struct comp *c, struct node *n, struct sym *s, bool was)
{
	u32 nconsts, given;
	struct node *value, *consts, *incr;
	s64 v[AGG_CONSTS_MAX] = { 0 };
	bool ok = true;

	agg_consts(n->aggrow, &nconsts);
	n->b = check_list(c, n->b, &ok);
	given = node_count(n->b);
	if (!ok || !agg_length(c, n, sig_parse(c, n->aggrow->sig), given))
		return false;
	if (!given)
		return true;
	consts = incr = n->b->next;
	n->b->next = NULL;
	value = agg_scalar(c, n->name, n->b);
	n->b->next = consts;
	if (!value || !agg_types(c, n, nconsts))
		return false;
	if (!agg_constants(c, n, consts, v) || !agg_consts_match(c, n, s, v, was))
		return false;
	for (u32 i = 0; i < nconsts && incr; i++)
		incr = incr->next;
	value->next = incr;
	n->b = value;
	return true;
}

/* ---- other names ------------------------------------------------------------------------ */

/* agg_rewrite_X of an AGG_ALIAS row: n->aggrow becomes the row it stands for. */
typedef bool agg_rewrite(struct comp *, struct node *n);

static bool agg_rewrite_none(struct comp *c, struct node *n)
{
	return true;
}

#define HIST_BITS  5

/*
 * hist(v, bits) of bpftrace: 2^bits buckets per power of two: llquantize() with factor 2.
 * Its lowest magnitude is the first with that many values; smaller values share one bucket.
 */
static bool agg_rewrite_bits(struct comp *c, struct node *n)
{
	struct node *bits = n->b ? n->b->next : NULL, **tail;
	s64 k;

	if (!bits || bits->next)
		return true;
	if (!fold_const(c, bits, &k) || k < 0 || k > HIST_BITS) {
		ERR(c, D_PROTO_ARG, bits->at, "argument 2 of %s() must be a constant from 0 to %d",
		    n->name, HIST_BITS);
		return false;
	}
	n->b->next = NULL;
	if (!k)
		return true;
	const s64 params[] = { 2, k, 62, 2 << k };

	n->aggrow = &agg_funcs[AGG_llquantize];
	tail = &n->b->next;
	for (u32 i = 0; i < ARRAY_SIZE(params); i++, tail = &(*tail)->next)
		*tail = check_int(c, bits, params[i], &ty_int);
	return true;
}

static bool agg_alias(struct comp *c, struct node *n)
{
	static const struct { const char *name; agg_rewrite *fn; } rows[] = {
#define AGG_ALIAS(name, row, rewrite) { #name, agg_rewrite_##rewrite },
#include <dtx/tables/aggs.def>
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, n->name))
			return rows[i].fn(c, n);
	return true;
}

/* ---- the statement --------------------------------------------------------------------------- */

/* "count, sum, … and llquantize are". */
static const char *agg_names(struct comp *c)
{
	const char *text = agg_funcs[0].name;

	for (u32 i = 1; i < agg_nfuncs; i++)
		text = arena_printf(c->arena, "%s%s%s", text, i == agg_nfuncs - 1 ? " and " : ", ",
				    agg_funcs[i].name);
	return arena_printf(c->arena, "%s are", text);
}

static bool agg_function(struct comp *c, struct node *n)
{
	struct near near = { .wanted = n->name };
	const struct builtin *b = builtin_exact(n->name);
	struct diag *d;

	n->aggrow = agg_find(n->name);
	if (n->aggrow)
		return agg_alias(c, n);
	if (foreign_refused(c, D_FUNC_UNDEF, n->op_at, n->name))
		return false;
	if (!b || b->kind == BK_VAR) {
		bool known = b || scope_find(c, SPACE_GLOBAL, n->name);

		d = diag_error(&c->env->diags, known ? D_FUNC_IDKIND : D_FUNC_UNDEF, n->op_at,
			       known ? "'%s' is not a function" : "unknown function '%s'", n->name);
	} else {
		d = diag_error(&c->env->diags, D_AGG_FUNC, n->op_at,
			       "%s() is not an aggregating function", n->name);
	}
	for (u32 i = 0; i < agg_nfuncs; i++)
		near_offer(&near, agg_funcs[i].name);
	near_hint(c, d, &near, agg_names(c));
	return false;
}

static bool agg_redefined(struct comp *c, struct node *n, struct sym *s)
{
	struct diag *d;

	if (!s->agg || s->agg == n->aggrow)
		return false;
	d = diag_error(&c->env->diags, D_AGG_REDEF, n->at, "@%s is %s() here but was %s()",
		       s->name, n->aggrow->name, s->agg->name);
	diag_note(&c->env->diags, d, s->at, "first used here");
	diag_hint(&c->env->diags, d, "an aggregation has one function; use another name");
	return true;
}

static bool agg_mixed(struct comp *c, struct node *n, struct sym *s)
{
	struct diag *d;

	if (s->keyed == (n->list != NULL))
		return false;
	d = diag_error(&c->env->diags, D_PROTO_LEN, n->at, "@%s is used %s keys here but was %s",
		       s->name, n->list ? "with" : "without", s->keyed ? "with" : "without");
	diag_note(&c->env->diags, d, s->at, "first used here");
	return true;
}

struct node *check_agg(struct comp *c, struct node *n)
{
	struct sym *s = scope_find(c, SPACE_AGG, n->str);
	bool was = s && s->agg;

	if (!agg_function(c, n))
		return NULL;
	if (!s)
		s = scope_add(c, SPACE_AGG, SYM_AGG, n->str, n->at);
	if (agg_redefined(c, n, s))
		return NULL;
	if (!was) {
		s->agg = n->aggrow;
		s->keyed = n->list != NULL;
		s->index = c->img->naggs++;
		s->type = &ty_dyn;
	}
	if (agg_mixed(c, n, s))
		return NULL;
	if (n->list) {
		n->list = check_keys(c, s, n, n->list);
		if (!n->list)
			return NULL;
	}
	if (!agg_args(c, n, s, was))
		return NULL;
	n->sym = s;
	n->type = &ty_void;
	return n;
}

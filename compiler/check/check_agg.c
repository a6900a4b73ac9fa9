/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_agg.c - @name[keys] = function(arguments), and @name as an argument of actions.
 *
 * Each aggregation has one function, one set of parameters and one key signature in the
 * whole program.  Constant parameters move into the symbol; the statement keeps what is
 * evaluated at each firing: the value and the increment.
 */
#include "compiler/check/checker.h"

/* ---- @name as an argument --------------------------------------------------------- */

const char *check_aggname(const struct node *n)
{
	return n && n->kind == N_AGGREF ? n->name : NULL;
}

struct sym *check_aggref(struct comp *c, const struct node *n, enum diag_tag unknown)
{
	struct sym *s = scope_find(c, SPACE_AGG, n->name);
	struct near near = { .wanted = n->name };
	struct diag *d;

	if (s && s->agg && (s->keys || !s->keyed))
		return s;
	if (check_idle_name(c, SPACE_AGG, n->name))
		return NULL;
	d = diag_error(&c->env->diags, unknown, n->at, "unknown aggregation @%s", n->name);
	near_syms(c, &near, SPACE_AGG);
	near_hint(c, d, &near, "aggregate into it in an earlier clause");
	return NULL;
}

/* ---- constant parameters -------------------------------------------------------------- */

struct agg_const {
	const char *what;
	enum diag_tag type, value, match;
	s64 min, max;
};

static bool agg_param(struct comp *c, const struct agg_const *k, const struct node *n, s64 *v)
{
	if (n->kind != N_INT || (k->min == 1 && (s64)n->value < 1)) {
		ERR(c, k->type, n->at, "the %s must be %s integer constant", k->what,
		    k->min == 1 ? "a positive" : "an");
		return false;
	}
	*v = n->value;
	if (*v >= k->min && *v <= k->max)
		return true;
	ERR(c, k->value, n->at, "the %s must be between %lld and %lld, not %lld", k->what,
	    (long long)k->min, (long long)k->max, (long long)*v);
	return false;
}

static const struct agg_const linear[] = {
	{ "lower bound", D_LQUANT_BASETYPE, D_LQUANT_BASEVAL, D_LQUANT_MATCHBASE,
	  INT32_MIN, INT32_MAX },
	{ "upper bound", D_LQUANT_LIMTYPE, D_LQUANT_LIMVAL, D_LQUANT_MATCHLIM,
	  INT32_MIN, INT32_MAX },
	{ "step", D_LQUANT_STEPTYPE, D_LQUANT_STEPVAL, D_LQUANT_MATCHSTEP, 1, UINT16_MAX },
};

static const struct agg_const loglinear[] = {
	{ "factor", D_LLQUANT_FACTORTYPE, D_LLQUANT_FACTORVAL, D_LLQUANT_MATCHFACTOR,
	  2, UINT16_MAX },
	{ "low magnitude", D_LLQUANT_LMAGTYPE, D_LLQUANT_LMAGVAL, D_LLQUANT_MATCHLMAG,
	  0, UINT16_MAX },
	{ "high magnitude", D_LLQUANT_HMAGTYPE, D_LLQUANT_HMAGVAL, D_LLQUANT_MATCHHMAG,
	  0, UINT16_MAX },
	{ "number of steps", D_LLQUANT_STEPTYPE, D_LLQUANT_STEPVAL, D_LLQUANT_MATCHSTEPS,
	  1, UINT16_MAX },
};

/* ---- lquantize ------------------------------------------------------------------------------ */

static bool agg_linear(struct comp *c, struct node *n, struct node *args, s64 *v)
{
	struct node *step = args->next->next;
	s64 levels;

	v[2] = 1;
	if (!agg_param(c, &linear[0], args, &v[0]) || !agg_param(c, &linear[1], args->next, &v[1]))
		return false;
	if (v[0] >= v[1]) {
		ERR(c, D_LQUANT_MISMATCH, args->next->at,
		    "the upper bound %lld must be above the lower bound %lld", (long long)v[1],
		    (long long)v[0]);
		return false;
	}
	if (step && !agg_param(c, &linear[2], step, &v[2]))
		return false;
	levels = (v[1] - v[0]) / v[2];
	if (!levels) {
		ERR(c, D_LQUANT_STEPLARGE, step->at, "the step is larger than the range");
		return false;
	}
	if (levels > UINT16_MAX) {
		ERR(c, D_LQUANT_STEPSMALL, step ? step->at : n->at,
		    "the step makes %lld levels, more than %d", (long long)levels, UINT16_MAX);
		return false;
	}
	return true;
}

/* ---- llquantize --------------------------------------------------------------------------------- */

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

/* Is a value of the aggregation one that a map may have? */
static bool agg_fits(struct comp *c, struct node *n, struct node *steps, const s64 *v)
{
	u32 buckets = agg_value_size(n->aggrow, v, 4) / sizeof(u64), most = IMG_AGG_MAX / sizeof(u64) - 1;
	struct diag *d;

	if (buckets <= most)
		return true;
	d = diag_error(&c->env->diags, D_LLQUANT_STEPVAL, steps->at, "%lld steps a magnitude make %u buckets, more than %u",
		       (long long)v[3], buckets, most);
	diag_hint(&c->env->diags, d, "use fewer steps, or fewer magnitudes");
	return false;
}

static bool agg_loglinear(struct comp *c, struct node *n, struct node *args, s64 *v)
{
	struct node *arg = args, *last = NULL;
	u64 top;

	for (u32 i = 0; i < 4; i++, last = arg, arg = arg->next)
		if (!agg_param(c, &loglinear[i], arg, &v[i]))
			return false;
	if (v[1] > v[2]) {
		ERR(c, D_LLQUANT_HMAGVAL, args->next->at,
		    "the low magnitude %lld is above the high magnitude %lld", (long long)v[1],
		    (long long)v[2]);
		return false;
	}
	if (!agg_pow(v[0], v[2] + 1, &top)) {
		ERR(c, D_LLQUANT_HMAGVAL, n->at, "%lld to the power of %lld does not fit 64 bits",
		    (long long)v[0], (long long)v[2] + 1);
		return false;
	}
	if (!agg_steps_ok(v[0], v[1], v[3])) {
		struct diag *d = diag_error(&c->env->diags, D_LLQUANT_STEPVAL, last->at,
			"%lld steps do not divide the magnitudes evenly", (long long)v[3]);

		diag_hint(&c->env->diags, d, "use a divisor of the factor, or a multiple of it "
			  "that divides the lowest magnitude");
		return false;
	}
	return agg_fits(c, n, last, v);
}

/* ---- arguments ---------------------------------------------------------------------------------------- */

static bool agg_params_match(struct comp *c, struct node *n, struct sym *s, const s64 *v, u32 nv,
			     bool was)
{
	const struct agg_const *k = !strcmp(s->agg->name, "lquantize") ? linear : loglinear;

	for (u32 i = 0; was && i < nv; i++) {
		struct diag *d;

		if (s->params_v[i] == v[i])
			continue;
		d = diag_error(&c->env->diags, k[i].match, n->at,
			       "the %s of @%s is %lld here but was %lld", k[i].what, s->name,
			       (long long)v[i], (long long)s->params_v[i]);
		diag_note(&c->env->diags, d, s->at, "it is used first here");
		return false;
	}
	memcpy(s->params_v, v, nv * sizeof(*v));
	s->nparams_v = nv;
	return true;
}

static u32 agg_nconsts(const struct agg_row_def *row)
{
	return !strcmp(row->name, "lquantize") ? 3 : !strcmp(row->name, "llquantize") ? 4 : 0;
}

static struct node *agg_scalar(struct comp *c, const char *func, struct node *n)
{
	if (type_is_scalar(n->type))
		return check_cast(c, n, n->type);
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

/* Types that the signature refuses before the rules of the function are asked. */
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
	u32 nconsts = agg_nconsts(n->aggrow), given;
	struct node *value, *consts, *incr;
	s64 v[4] = { 0 };
	bool ok = true;

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
	if (nconsts && !(nconsts == 3 ? agg_linear : agg_loglinear)(c, n, consts, v))
		return false;
	if (nconsts && !agg_params_match(c, n, s, v, nconsts, was))
		return false;
	for (u32 i = 0; i < nconsts && incr; i++)
		incr = incr->next;
	value->next = incr;
	n->b = value;
	return true;
}

#define HIST_BITS  5

/*
 * hist(v, bits) of bpftrace: 2^bits buckets a power of two, which is llquantize() by 2.  Its
 * lowest magnitude is the first that has so many; what is smaller is one bucket.
 */
static bool agg_hist(struct comp *c, struct node *n)
{
	struct node *bits = n->b ? n->b->next : NULL, **tail;
	s64 k;

	if (strcmp(n->name, "hist") || !bits || bits->next)
		return true;
	if (!fold_const(c, bits, &k) || k < 0 || k > HIST_BITS) {
		ERR(c, D_PROTO_ARG, bits->at, "argument 2 of hist() must be a constant from 0 to %d",
		    HIST_BITS);
		return false;
	}
	n->b->next = NULL;
	if (!k)
		return true;
	const s64 params[] = { 2, k, 62, 2 << k };

	n->aggrow = agg_find("llquantize");
	tail = &n->b->next;
	for (u32 i = 0; i < ARRAY_SIZE(params); i++, tail = &(*tail)->next)
		*tail = check_int(c, bits, params[i], &ty_int);
	return true;
}

/* ---- the statement -------------------------------------------------------------------------------------- */

static bool agg_function(struct comp *c, struct node *n)
{
	struct near near = { .wanted = n->name };
	const struct builtin *b = builtin_exact(n->name);
	struct diag *d;

	n->aggrow = agg_find(n->name);
	if (n->aggrow)
		return agg_hist(c, n);
	if (near_elsewhere(c, D_FUNC_UNDEF, n->op_at, n->name))
		return false;
	if (!b || b->kind == BK_VAR) {
		bool known = b || scope_find(c, SPACE_GLOBAL, n->name);

		d = diag_error(&c->env->diags, known ? D_FUNC_IDKIND : D_FUNC_UNDEF, n->op_at,
			       known ? "'%s' is not a function" : "unknown function '%s'", n->name);
	} else {
		d = diag_error(&c->env->diags, D_AGG_FUNC, n->op_at,
			       "%s() is not an aggregating function", n->name);
	}
	static const char *const names[] = { "count", "sum", "avg", "min", "max", "stddev",
					     "quantize", "lquantize", "llquantize" };
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		near_offer(&near, names[i]);
	near_hint(c, d, &near, "count, sum, avg, min, max, stddev, quantize, lquantize and "
		  "llquantize are");
	return false;
}

static bool agg_redefined(struct comp *c, struct node *n, struct sym *s)
{
	struct diag *d;

	if (!s->agg || s->agg == n->aggrow)
		return false;
	d = diag_error(&c->env->diags, D_AGG_REDEF, n->at, "@%s is %s() here but was %s()",
		       s->name, n->aggrow->name, s->agg->name);
	diag_note(&c->env->diags, d, s->at, "it is used first here");
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
	diag_note(&c->env->diags, d, s->at, "it is used first here");
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

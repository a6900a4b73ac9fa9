/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_call.c - calls: finds the function, checks its signature, and rules that a
 * signature cannot express.
 *
 * Makes typed N_CALL nodes; check_act.c turns those for the consumer into N_ACTION.
 */
#include <dtx/base.h>
#include <dtx/opt.h>
#include <dtx/stack.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* ---- which function -------------------------------------------------------------- */

static struct node *call_wrong_kind(struct comp *c, struct node *n, const char *what)
{
	struct diag *d = diag_error(&c->env->diags, D_FUNC_IDKIND, n->op_at,
				    "'%s' is %s, not a function", n->name, what);

	diag_hint(&c->env->diags, d, "write %s without parentheses",
		  n->name);
	return NULL;
}

static struct node *call_unknown(struct comp *c, struct node *n)
{
	struct near near = { .wanted = n->name };
	struct diag *d = foreign_refused(c, D_FUNC_UNDEF, n->op_at, n->name);

	if (d)
		return NULL;
	d = diag_error(&c->env->diags, D_FUNC_UNDEF, n->op_at, "unknown function '%s'", n->name);
	near_builtins(&near, true);
	near_hint(c, d, &near, "only the functions of D can be called: trace, printf, strlen, "
			       "copyinstr, stack and others");
	return NULL;
}

static const struct builtin *call_row(struct comp *c, struct node *n)
{
	struct sym *s;
	const struct builtin *b;

	if (!n->name) {
		ERR(c, D_FUNC_IDENT, n->op_at, "only functions can be called, by their names");
		return NULL;
	}
	b = builtin_find(n->name);
	s = scope_find(c, SPACE_GLOBAL, n->name);
	if (s && (!b || builtin_exact(n->name)->flags & BF_LINUX)) {
		struct diag *d = diag_error(&c->env->diags, D_FUNC_IDKIND, n->op_at,
			"'%s' is %s, not a function", n->name,
			s->kind == SYM_INLINE ? "an inline" : "a variable");

		if (s->kind == SYM_INLINE && s->nparams)
			diag_hint(&c->env->diags, d, "inlines are used with brackets: %s[...]",
				  n->name);
		return NULL;
	}
	if (b)
		return b;
	if (agg_find(n->name)) {
		struct diag *d = diag_error(&c->env->diags, D_CG_EXPR, n->op_at,
			"%s() is only valid when assigned to an aggregation", n->name);

		diag_hint(&c->env->diags, d, "write '@ =' before it");
		return NULL;
	}
	return (void *)call_unknown(c, n);
}

/* ---- stacks ------------------------------------------------------------------------- */

static bool stack_const(struct comp *c, const char *name, const struct node *arg, u32 tag,
			s64 least, s64 *value)
{
	if (arg->kind == N_INT && (s64)arg->value >= least) {
		*value = arg->value;
		return true;
	}
	ERR(c, tag, arg->at, "argument of %s() must be a positive integer constant", name);
	return false;
}

/* kstack(perf, 3): the layouts of bpftrace. */
static bool stack_mode(struct comp *c, const struct node *n)
{
	static const char *const modes[] = { "bpftrace", "perf", "raw", "build_id" };
	const struct node *arg = n->list;

	for (u32 i = 0; arg && arg->kind == N_IDENT && i < ARRAY_SIZE(modes); i++) {
		struct diag *d;

		if (strcmp(modes[i], arg->name) || scope_peek(c, SPACE_GLOBAL, arg->name))
			continue;
		d = diag_error(&c->env->diags, D_PROTO_ARG, arg->at, "%s() has one layout: '%s' is "
			       "a mode of bpftrace", n->name, arg->name);
		foreign_tell(c, d, n->at.src, n->at.from,
			     arena_printf(c->env->arena, "write %s(N) for N frames; option "
					  "stackindent moves them, noresolve keeps addresses",
					  n->name));
		return false;
	}
	return true;
}

/* Default depth of a function that makes a stack, and the type of its value. */
static const struct stack_row {
	enum builtin_id id;
	u32 frames;
	struct type *type;
} stack_rows[] = {
	{ BI_stack, OPT_stackframes, &ty_stack },
	{ BI_ustack, OPT_ustackframes, &ty_ustack },
	{ BI_jstack, OPT_jstackframes, &ty_ustack },
	{ BI_pystack, OPT_pystackframes, &ty_pystack },
};

/* NULL: it makes none. */
static const struct stack_row *stack_row(const struct builtin *b)
{
	for (u32 i = 0; i < ARRAY_SIZE(stack_rows); i++)
		if (builtin_is(b, stack_rows[i].id))
			return &stack_rows[i];
	return NULL;
}

/* The kernel makes no longer stacks; 127 is its own value (PERF_MAX_STACK_DEPTH). */
static s64 stack_depth(struct comp *c, const struct node *n, const struct stack_row *r, s64 wanted)
{
	s64 most = MAX(machine_number(c->env, "/proc/sys/kernel/perf_event_max_stack", 127), 1ll);
	bool own = r->type == &ty_pystack ||
		   (r->type->is_user && !strcmp(opt_text(c->env, OPT_ustackunwind), "auto"));

	if (wanted <= MIN(own ? DTX_STACK_MAX : most, (s64)DTX_STACK_MAX))
		return wanted;
	if (own || most >= DTX_STACK_MAX) {
		diag_warn(&c->env->diags, DIAG_NONE, n->at,
			  "a stack has at most %d frames, not %lld", DTX_STACK_MAX,
			  (long long)wanted);
		return DTX_STACK_MAX;
	}
	diag_hint(&c->env->diags,
		  diag_warn(&c->env->diags, DIAG_NONE, n->at,
			    "the kernel takes at most %lld frames of a stack, not %lld",
			    (long long)most, (long long)wanted),
		  "sysctl kernel.perf_event_max_stack=%lld raises this while nothing else traces "
		  "stacks",
		  (long long)wanted);
	return most;
}

/* The probes that dtx runs itself: no code of the kernel fires them.  ERROR runs where the fault
 * is. */
static bool stack_of_nobody(const struct inst *i)
{
	for (u32 k = 0; i && k < i->nprobes; k++) {
		const struct dtx_probe *p = i->probes[k];

		if (strcmp(p->prov, "dtrace") != 0 ? strncmp(p->name, "tick-", 5) != 0 :
						     !strcmp(p->name, "ERROR"))
			return false;
	}
	return i && i->nprobes;
}

static void stack_empty(struct comp *c, const struct node *n)
{
	struct diag *d;

	if (!stack_of_nobody(c->check->inst))
		return;
	d = diag_remark(&c->env->diags, n->at, "%s() is empty here: dtx runs BEGIN, END and tick "
			"probes itself, not from within the kernel", n->row->name);
	diag_hint(&c->env->diags, d, "profile-97 takes the stack of what runs on each CPU");
}

/* stack([n]), ustack([n[, strsize]]) …: the depth becomes part of the type. */
static struct node *call_stack(struct comp *c, struct node *n)
{
	const struct stack_row *r = stack_row(n->row);
	const struct opt_value *v = c->env->opts->v;
	bool kernel = !r->type->is_user;
	s64 depth = v[r->frames].n, size;
	u32 given = node_count(n->list);

	if (given && !stack_const(c, n->row->name, n->list,
				  kernel ? D_STACK_SIZE : D_USTACK_FRAMES, 1, &depth))
		return NULL;
	if (given > 1 && !stack_const(c, n->row->name, n->list->next, D_USTACK_STRSIZE, 0, &size))
		return NULL;
	if (depth <= 0 || depth > v[OPT_maxframes].n)
		depth = v[OPT_maxframes].n;
	depth = stack_depth(c, n, r, depth);
	if (kernel)
		stack_empty(c, n);
	n->by_option = !given;
	n->list = NULL;
	n->value = depth;
	n->type = type_copy(c, r->type);
	n->type->count = depth;
	return n;
}

/* func(), usym(), strerror() …: the type carries how the consumer shows the number. */
static struct node *call_symbol(struct comp *c, struct node *n)
{
	if (!n->list) {                  /* username */
		n->list = check_make(c, N_BUILTIN, n, &ty_uint);
		n->list->row = builtin_row(BI_uid);
	}
	n->type = type_copy(c, n->type);
	n->type->name = n->row->name;
	return n;
}

/* ---- others with rules of their own ----------------------------------------------------- */

#define SCRATCH_TOLD  65536      /* larger sizes are mistakes */

/* Takes so many bytes of scratch memory. */
static struct node *call_scratch(struct comp *c, struct node *n, const struct node *size)
{
	u64 max = opt_num(c->env, OPT_scratchsize);
	struct diag *d;

	if (size->kind != N_INT || size->value <= max)
		return n;
	d = diag_error(&c->env->diags, D_ALLOCA_SIZE, size->at,
		       "%s() of %llu bytes is more than the %llu of option scratchsize",
		       n->row->name, (unsigned long long)size->value, (unsigned long long)max);
	if (size->value <= SCRATCH_TOLD)
		diag_hint(&c->env->diags, d, "the option gives more: -x scratchsize=%llu",
			  (unsigned long long)size->value);
	return NULL;
}

static bool str_is_user(struct comp *c, const struct node *arg)
{
	if (type_is_ptr(arg->type) && type_base(arg->type)->is_user)
		return true;
	if (!c->check->inst || !c->check->inst->nprobes || !check_args_known(c))
		return false;
	return c->check->inst->probes[0]->place.user_ctx;
}

/* n + 1 */
static struct node *call_more(struct comp *c, struct node *n)
{
	struct node *sum = check_make(c, N_BINARY, n, &ty_long);

	sum->op = '+';
	sum->a = n;
	sum->b = check_int(c, n, 1, &ty_int);
	return fold_again(c, sum);
}

/* str(p[, n]): the string at a user or at a kernel address, by the kind of probe. */
static struct node *call_str(struct comp *c, struct node *n)
{
	struct node *s;

	if (type_is_string(n->list->type)) {
		if (!n->list->next)
			return n->list;
		s = n->list->next;       /* str(text, n): the first n bytes */
		n->list->next = check_int(c, n, 0, &ty_int);
		n->list->next->next = s;
		n->row = builtin_row(BI_substr);
		n->name = n->row->name;
		return n;
	}
	if (!type_is_scalar(n->list->type) && !type_is_array(n->list->type))
		return ERR(c, D_PROTO_ARG, n->list->at,
			   "argument 1 of str() must be an address or a string, not '%s'",
			   TYPE_TEXT(c, n->list->type));
	if (str_is_user(c, n->list)) {
		n->row = builtin_row(BI_copyinstr);
		if (n->list->next)       /* includes the NUL */
			n->list->next = call_more(c, n->list->next);
		return n;
	}
	s = check_make(c, N_STRINGOF, n, &ty_string);
	s->a = n->list;
	if (n->list->next && n->list->next->kind == N_INT)
		s->type = type_string_of(c->arena, MIN(n->list->next->value,
						       (u64)opt_num(c->env, OPT_strsize) - 1) + 1);
	s->a->next = NULL;
	return s;
}

static struct node *call_memcmp(struct comp *c, struct node *n)
{
	const struct node *size = n->list->next->next;
	s64 max = opt_num(c->env, OPT_strsize);

	if (size->kind == N_INT && size->value <= (u64)max)
		return n;
	return ERR(c, D_PROTO_ARG, size->at,
		   "the number of bytes of memcmp() must be a constant of "
		   "at most %lld, which is option strsize",
		   (long long)max);
}

static struct node *call_ntoa6(struct comp *c, struct node *n)
{
	const struct node *strict = n->list->next;

	if (!strict || strict->kind == N_INT)
		return n;
	return ERR(c, D_PROTO_ARG, strict->at, "argument 2 of %s() must be an integer constant",
		   n->name);
}

static struct node *call_special(struct comp *c, struct node *n)
{
	const struct type *t = n->type;

	if (t->kind == T_STACK)
		return call_stack(c, n);
	if (t->kind == T_SYMADDR)
		return call_symbol(c, n);
	c->uses_first |= (n->row->flags & BF_FIRST) != 0;
	switch (builtin_id(n->row)) {
	case BI_alloca: return call_scratch(c, n, n->list);
	case BI_copyin: return call_scratch(c, n, n->list->next);
	case BI_str: return call_str(c, n);
	case BI_memcmp: return call_memcmp(c, n);
	case BI_inet_ntoa6: return call_ntoa6(c, n);
	case BI_copyinstr: check_copyinstr_note(c, n); return n;
	default: return n;
	}
}

/* Actions that no BPF program may do, and what to use instead. */
static const struct {
	enum builtin_id id;
	const char *why, *hint;
} impossible[] = {
	{ BI_chill, "a BPF program cannot wait: the kernel bounds its running time",
	  "to slow a process down, stop() it and let system() continue it" },
	{ BI_panic, "a BPF program cannot stop the kernel",
	  "system(\"echo c >/proc/sysrq-trigger\") crashes the machine when the record is "
	  "consumed" },
	{ BI_breakpoint, "a BPF program cannot enter the kernel's debugger",
	  "system(\"echo g >/proc/sysrq-trigger\") enters it when the record is consumed" },
	{ BI_return,
	  "most kernels are not built to override functions (CONFIG_BPF_KPROBE_OVERRIDE), and dtx "
	  "does not use those that are",
	  "the kernel's own error injection does it: /sys/kernel/debug/fail_function" },
};

static bool call_possible(struct comp *c, const struct node *n)
{
	struct diag *d;

	for (u32 i = 0; i < ARRAY_SIZE(impossible); i++) {
		if (!builtin_is(n->row, impossible[i].id))
			continue;
		d = diag_error(&c->env->diags, D_UNKNOWN, n->at,
			       "%s() is not possible on Linux: %s", n->row->name,
			       impossible[i].why);
		diag_hint(&c->env->diags, d, "%s", impossible[i].hint);
		return false;
	}
	return true;
}

bool check_permitted(struct comp *c, const struct node *n)
{
	if (!(n->row->flags & BF_DESTRUCTIVE))
		return true;
	c->img->destructive = true;
	if (!c->env->destructive) {
		c->env->destructive = n->row->name;
		c->env->destructive_at = n->at;
	}
	return call_possible(c, n);
}

/* A function defined by the library as an inline, __call_NAME. */
static struct sym *call_library(struct comp *c, const struct node *n)
{
	struct sym *s = NULL;

	if (n->name && !builtin_find(n->name) && !scope_peek(c, SPACE_GLOBAL, n->name))
		s = scope_find(c, SPACE_GLOBAL, arena_printf(c->arena, LIBRARY_CALL "%s", n->name));
	return s && s->kind == SYM_INLINE ? s : NULL;
}

/* The errors for wrong arguments of an action also apply to an aggregating function. */
static bool call_without_functions(struct comp *c, const struct node *n)
{
	static const struct {
		enum builtin_id id;
		u32 tag;
	} rows[] = {
		{ BI_trace, D_TRACE_VOID },
		{ BI_printf, D_PRINTF_ARG_TYPE },
		{ BI_printa, D_PRINTA_AGGARG },
		{ BI_clear, D_CLEAR_AGGARG },
		{ BI_trunc, D_TRUNC_AGGARG },
		{ BI_normalize, D_NORMALIZE_AGGARG },
		{ BI_denormalize, D_NORMALIZE_AGGARG },
	};
	u32 i = 0;

	while (i < ARRAY_SIZE(rows) && !builtin_is(n->row, rows[i].id))
		i++;
	for (const struct node *a = n->list; a && i < ARRAY_SIZE(rows); a = a->next) {
		if (a->kind != N_CALL || !a->name || !agg_find(a->name))
			continue;
		ERR(c, rows[i].tag, a->at,
		    "%s() has no value: it is only assigned to an aggregation", a->name);
		return false;
	}
	return true;
}

static struct node *call_variable(struct comp *c, struct node *n)
{
	u32 errors = c->env->diags.nerrors;
	struct node *said = port_variable(c, n);

	return said || errors != c->env->diags.nerrors ? said :
	       call_wrong_kind(c, n, "a built-in variable");
}

struct node *check_call(struct comp *c, struct node *n)
{
	struct sym *lib = call_library(c, n);
	const struct sig *s;
	bool ok = true;

	if (lib)
		return xlate_inline(c, n, lib, n->list);
	n->row = call_row(c, n);
	if (!n->row || !call_without_functions(c, n))
		return NULL;
	if (n->row->kind == BK_VAR)
		return call_variable(c, n);
	if (n->row->lower == BL_REWRITE)
		return port_rewrite(c, n, n->row);
	if (stack_row(n->row) && !stack_mode(c, n))
		return NULL;
	n->list = check_list(c, n->list, &ok);
	if (!ok)
		return NULL;
	s = sig_parse(c, n->row->sig);
	if (!sig_check(c, s, n->name, n->at, &n->list))
		return NULL;
	n->type = s->result ? s->result : &ty_void;
	return call_special(c, n);
}

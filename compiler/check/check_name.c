/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_name.c - the meaning of a name: variables, built-ins, kernel symbols; creation
 * by first assignment; keys of associative arrays.
 *
 * Order for a plain name: the program's variables, inlines and enumerators; built-ins;
 * parameters of the probe.
 */
#include <unistd.h>

#include <dtx/aggs.h>
#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* ---- kernel symbols --------------------------------------------------------------------- */

static struct type *name_known_variable(struct comp *c, const char *name)
{
	static const struct { const char *name, *type; } vars[] = {
#define KVAR(name, type) { name, type },
#include <dtx/tables/kvars.def>
#undef KVAR
	};

	for (u32 i = 0; i < ARRAY_SIZE(vars); i++)
		if (!strcmp(vars[i].name, name))
			return type_parse(c, vars[i].type);
	return NULL;
}

static struct type *name_variable(struct comp *c, const char *module, const char *name)
{
	struct type *t = scope_extern(c, name);

	for (u32 i = 0; !t && i < ARRAY_SIZE(c->env->sources) && c->env->sources[i]; i++)
		t = c->env->sources[i]->variable(c->env->sources[i], c->env->arena, module, name);
	for (u32 i = 0; !t && i < ARRAY_SIZE(c->env->sources) && c->env->sources[i]; i++)
		t = c->env->sources[i]->function(c->env->sources[i], c->env->arena, module, name);
	return t ? t : name_known_variable(c, name);
}

u32 check_ksym_index(struct comp *c, const char *module, const char *name)
{
	struct img *img = c->img;

	for (u32 i = 0; i < img->nksyms; i++)
		if (!strcmp(img->ksyms[i].name, name) &&
		    !strcmp(img->ksyms[i].module ? img->ksyms[i].module : "", module))
			return i;
	ARENA_PUSH(c->arena, img->ksyms, img->nksyms,
		   ((struct img_ksym){ *module ? module : NULL, name }));
	return img->nksyms - 1;
}

/* ---- variables of each CPU -------------------------------------------------------------- */

struct ksym_name { const char *module, *name; };         /* module "": any */

/*
 * Those of modules lie behind those of the kernel: in PERCPU_MODULE_RESERVE (linux/percpu.h), which
 * is 8 KiB, and begins at the next page.
 */
#define PERCPU_OF_MODULES (4 * 4096)

static bool ksym_of_module(struct comp *c, const struct ksym_name *s)
{
	if (*s->module)
		return strcmp(s->module, "vmlinux") != 0;
	return !env_ksym(c->env, "vmlinux", s->name);
}

/* Is the symbol per CPU? */
static bool ksym_is_percpu(struct comp *c, const struct ksym_name *s)
{
	u64 end = env_ksym(c->env, "vmlinux", "__per_cpu_end");
	u64 addr = env_ksym(c->env, s->module, s->name);

	if (!end || addr < env_ksym(c->env, "vmlinux", "__per_cpu_start"))
		return false;
	return addr < end || (addr < end + PERCPU_OF_MODULES && ksym_of_module(c, s));
}

/* &`name (of the first copy) + __per_cpu_offset[cpu], as a number.  cpu: not checked yet. */
static struct node *percpu_addr(struct comp *c, struct node *n, const struct ksym_name *s,
				struct node *cpu)
{
	struct node *sum = check_make(c, N_BINARY, n, NULL), *of = check_make(c, N_INDEX, n, NULL);
	struct node *first = check_make(c, N_CAST, n, &ty_ulong);

	first->a = check_ksym_addr(c, n, s->module, s->name);
	of->a = check_ksym_addr(c, n, "", "__per_cpu_offset");
	of->list = cpu;
	sum->op = '+';
	sum->a = first;
	sum->b = of;
	return first->a && of->a ? check_expr(c, sum) : NULL;
}

static struct node *percpu_this(struct comp *c, struct node *n)
{
	struct node *cpu = check_make(c, N_IDENT, n, NULL);

	cpu->scope = SCOPE_PLAIN;
	cpu->name = "cpu";
	return cpu;
}

struct node *check_percpu_addr(struct comp *c, struct node *n, const char *name, struct node *cpu)
{
	struct node *ptr = check_make(c, N_CAST, n, type_ptr(c->arena, &ty_ulong));
	struct ksym_name s = { "", name };

	if (!ksym_is_percpu(c, &s))
		return ERR(c, D_IDENT_UNDEF, n->at, "'%s' is not a per-CPU variable that "
			   "/proc/kallsyms names", name);
	ptr->a = percpu_addr(c, n, &s, cpu ? cpu : percpu_this(c, n));
	return ptr->a ? check_expr(c, ptr) : NULL;
}

/* `name of the current CPU. */
static struct node *percpu_object(struct comp *c, struct node *n, const struct ksym_name *s,
				  struct type *t)
{
	struct node *ptr = check_make(c, N_CAST, n, type_ptr(c->arena, t));
	struct node *object = check_make(c, N_UNARY, n, NULL);

	object->op = '*';
	object->a = ptr;
	ptr->a = percpu_addr(c, n, s, percpu_this(c, n));
	return ptr->a ? check_expr(c, object) : NULL;
}

/* Kernels without CONFIG_KALLSYMS_ALL have symbols only for functions. */
static struct node *ksym_unknown(struct comp *c, struct node *n, const char *module,
				 const char *name, bool typed)
{
	bool data = env_ksym(c->env, "", "init_task") || env_ksym(c->env, "", "jiffies");
	struct diag *d = diag_error(&c->env->diags, D_IDENT_UNDEF, n->at,
				    "there is no kernel symbol '%s'%s%s", name,
				    *module ? " in module " : "", module);

	const char *instead = foreign_find(FOREIGN_SYMBOL, name);

	if (instead)
		diag_hint(&c->env->diags, d, "Linux has %s", instead);
	else if (*module && env_ksym(c->env, "", name))
		diag_hint(&c->env->diags, d, "it exists elsewhere: write `%s", name);
	else if (typed && !data)
		diag_hint(&c->env->diags, d, "this kernel was built without CONFIG_KALLSYMS_ALL: "
			  "only the addresses of functions are known");
	else
		diag_hint(&c->env->diags, d, "/proc/kallsyms lists the symbols of this kernel");
	return NULL;
}

/* `name, module`name: a kernel object; its address is found when the program is loaded. */
static struct node *name_ksym(struct comp *c, struct node *n)
{
	const char *name = strrchr(n->name, '`') + 1;
	const char *module = arena_strndup(c->arena, n->name, strcspn(n->name, "`"));
	struct type *t = name_variable(c, module, name);
	u64 addr = env_ksym(c->env, module, name);
	struct diag *d;

	if (!addr && check_named_jiffies(module, name)) {
		n->kind = N_BUILTIN;
		n->row = builtin_row(BI___jiffies);
		n->type = type_parse(c, n->row->sig);
		return n;
	}
	if (!addr && !opt_num(c->env, OPT_knodefs))
		return ksym_unknown(c, n, module, name, t);
	if (!t) {
		d = diag_error(&c->env->diags, D_SYM_NOTYPES, n->at,
			       "the type of the kernel symbol '%s' is not known", name);
		diag_hint(&c->env->diags, d, "kernel BTF has the types of functions and of per-CPU "
			  "variables; 'extern TYPE %s;' in the program declares others", name);
		return NULL;
	}
	if (ksym_is_percpu(c, &(struct ksym_name){ module, name }))
		return percpu_object(c, n, &(struct ksym_name){ module, name }, t);
	n->kind = N_KSYM;
	n->value = check_ksym_index(c, module, name);
	n->type = t;
	n->lvalue = !type_is_func(t);
	return check_decayed(c, n);
}

struct node *check_ksym_addr(struct comp *c, struct node *n, const char *module, const char *name)
{
	struct node *sym = check_make(c, N_KSYM, n, &ty_ulong);
	struct node *addr = check_make(c, N_UNARY, n, type_ptr(c->arena, &ty_ulong));

	if (!env_ksym(c->env, module, name) && !opt_num(c->env, OPT_knodefs))
		return ksym_unknown(c, n, module, name, name_variable(c, module, name));
	sym->value = check_ksym_index(c, module, name);
	sym->lvalue = true;
	addr->op = '&';
	addr->a = sym;
	return addr;
}

/* ---- plain names ---------------------------------------------------------------------------- */

/* probeprov, probemod …: as wide as the longest one of all matched probes, and of those that may
 * come later. */
static struct type *name_probe_text(struct comp *c, const struct builtin *row)
{
	size_t longest = c->img->late ? DTX_LATE_TEXT - 1 : 0;
	bool whole = builtin_is(row, BI_probe);

	for (u32 i = 0; i < c->nprobes; i++) {
		const struct dtx_probe *p = c->probes[i];
		const char *text = builtin_is(row, BI_probeprov) ? p->prov :
				   builtin_is(row, BI_probemod) ? p->mod :
				   builtin_is(row, BI_probefunc) ? p->func : p->name;

		longest = MAX(longest, strlen(text) + (whole ? strlen(p->prov) + strlen(p->mod) +
						       strlen(p->func) + 3 : 0));
	}
	return longest ? type_string_of(c->arena, longest + 1) : &ty_string;
}

/* What emit_ipl() reads: an image has no addresses, which change with each boot. */
static void note_preempt_count(struct comp *c)
{
	static const char *const names[] = { "pcpu_hot", "__preempt_count", "__per_cpu_offset" };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (env_ksym(c->env, "", names[i]))
			check_ksym_index(c, "", names[i]);
}

static struct node *name_builtin(struct comp *c, struct node *n, const struct builtin *b)
{
	const struct builtin *row = builtin_find(b->name);

	if (row->lower == BL_REWRITE)
		return port_rewrite(c, n, row);
	c->uses_vtime |= builtin_is(row, BI_vtimestamp);
	c->img->hostname |= builtin_is(row, BI_hostname);
	if (builtin_is(row, BI_ipl))
		note_preempt_count(c);
	n->kind = N_BUILTIN;
	n->row = row;
	n->type = row->flags & BF_PROBE ? name_probe_text(c, row) :
		  builtin_is(row, BI_uregs) ? &ty_dyn :
		  builtin_is(row, BI_execname) ? type_string_of(c->arena, DTX_COMM_LEN) :
		  type_parse(c, row->sig);
	if (builtin_is(row, BI_errno) && c->check->inst) {
		c->check->inst->uses_args = true;
		if (!check_args_known(c))
			return NULL;
	}
	return n;
}

/*
 * A function without parentheses: stack, kstack, ustack, rand as Linux writes them; a
 * parameter of the probe of that name (path, signal) otherwise.
 */
static struct node *name_function(struct comp *c, struct node *n, const struct builtin *b)
{
	const struct sig *s = sig_parse(c, builtin_find(b->name)->sig);
	struct diag *d;

	if (!type_is_void(s->result) && !s->nrequired) {
		n->kind = N_CALL;
		return check_call(c, n);
	}
	if (check_arg_find(c, n->name) >= 0)
		return check_args_name(c, n, n->name, n->at);
	if (builtin_is(b, BI_func))      /* the variable of bpftrace */
		return name_builtin(c, n, builtin_row(BI_probefunc));
	/* A name that only Linux has is unknown in D. */
	d = diag_error(&c->env->diags, b->flags & BF_LINUX ? D_IDENT_UNDEF : D_IDENT_BADREF, n->at,
		       "'%s' is a function, not a variable", n->name);
	diag_hint(&c->env->diags, d, "call it: %s(...)", n->name);
	return NULL;
}

static struct node *name_symbol(struct comp *c, struct node *n, struct sym *s,
				const struct node *index)
{
	struct diag *d;

	switch (s->kind) {
	case SYM_ASSOC:
		n = check_sym_node(c, n, s);
		n->type = &ty_dyn;
		return n;
	case SYM_ENUM:
		return check_int(c, n, s->value, s->type ? s->type : &ty_int);
	case SYM_INLINE:
		return xlate_inline(c, n, s, NULL);
	case SYM_VAR:
		if (s->type && s->xlate)
			return xlate_variable(c, n, s);
		if (s->type)
			return check_sym_node(c, n, s);
		return check_unset(c, n, s->space, index);
	default:
		d = diag_error(&c->env->diags, D_IDENT_BADREF, n->at, "'%s' is not a variable",
			       n->name);
		diag_note(&c->env->diags, d, s->at, "it is declared here");
		return NULL;
	}
}

/*
 * A constant of any enum of the kernel, as in bpftrace: tried last. Such names must be in
 * capitals, but in the D library; so an unassigned variable is not taken for a constant.
 */
static struct node *name_kernel_enum(struct comp *c, struct node *n)
{
	const struct type *t = NULL;

	bool small = n->name[strcspn(n->name, "abcdefghijklmnopqrstuvwxyz")];

	if (check_is_operand(n) || (small && !(n->at.src && n->at.src->is_library)))
		return NULL;
	for (u32 i = 0; !t && i < ARRAY_SIZE(c->env->sources) && c->env->sources[i]; i++)
		if (c->env->sources[i]->enumerator)
			t = c->env->sources[i]->enumerator(c->env->sources[i], n->name);
	for (u32 i = 0; t && i < t->count; i++)
		if (!strcmp(t->enums[i].name, n->name))
			return check_int(c, n, t->enums[i].value,
					 t->enums[i].value == (s32)t->enums[i].value ? &ty_int
										     : &ty_long);
	return NULL;
}

/* Adds a note, once, that a name that is also a parameter means `winner`. */
static void name_hides(struct comp *c, const struct node *n, const char *winner)
{
	bool rare = builtin_named(n->name, BI_id) && !(n->at.src && n->at.src->is_library);
	struct diag *d;

	/* Debugging information is read for it only if few can mean the other: the number of the
	 * probe. */
	if (!c->check->inst || !c->check->inst->nprobes ||
	    !(c->check->inst->asked == ARGS_TYPED || rare) ||
	    check_arg_find(c, n->name) < 0 || !scope_once(c, n->name))
		return;
	d = diag_remark(&c->env->diags, n->at,
			"'%s' is %s, not the probe's parameter of that name", n->name, winner);
	diag_hint(&c->env->diags, d, "for the parameter write args.%s", n->name);
}

struct node *check_indexed(struct comp *c, struct node *n, const struct node *index)
{
	struct node *constant;
	const struct agg_func *agg;
	enum sym_space space;
	const struct builtin *b;
	const char *name;
	struct sym *s;

	if (!check_scoped(n, &space, &name))
		return name_ksym(c, n);
	s = scope_find(c, space, name);
	if (s && check_is_later(s, n))
		return check_later(c, n, s);
	if (s && space == SPACE_GLOBAL && s->kind == SYM_VAR)
		name_hides(c, n, "the program's variable");
	if (s)
		return name_symbol(c, n, s, index);
	if (space != SPACE_GLOBAL)
		return check_unset(c, n, space, index);
	if (!strcmp(name, "NULL"))
		return check_int(c, n, 0, &ty_int);
	b = builtin_exact(name);
	if (b && b->kind != BK_VAR)
		return name_function(c, n, b);
	if (b) {
		name_hides(c, n, "the built-in variable");
		return name_builtin(c, n, b);
	}
	if (check_arg_known(c, name))
		return check_args_name(c, n, name, n->at);
	agg = agg_find(name);
	if (agg && !strcmp(agg->name, name))
		return ERR(c, D_IDENT_BADREF, n->at,
			   "'%s' is an aggregating function, not a variable", name);
	constant = name_kernel_enum(c, n);
	return constant ? constant : check_unknown(c, n, index);
}

struct node *check_ident(struct comp *c, struct node *n)
{
	return check_indexed(c, n, NULL);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static bool key_type_ok(const struct type *t, bool agg)
{
	const struct type *b = type_base((struct type *)t);

	if (type_is_scalar(t) || type_is_string(t) || type_is_chars(t) || type_is_struct(t))
		return true;
	return agg && b && (b->kind == T_STACK || b->kind == T_SYMADDR);
}

static bool key_compat(struct comp *c, struct type *want, const struct node *k)
{
	if (type_is_int(want) && type_is_int(k->type))
		return true;
	if (type_is_strcompat(want) && type_is_strcompat(k->type))
		return true;
	return type_assignable(c, want, k->type, k);
}

static bool key_check(struct comp *c, struct sym *s, struct node **k, u32 i)
{
	const char *pre = check_prefix(s->space);
	struct type *want = s->keys ? s->keys[i] : NULL;
	struct diag *d;

	if (!key_type_ok((*k)->type, s->kind == SYM_AGG)) {
		d = diag_error(&c->env->diags, D_KEY_TYPE, (*k)->at,
			       "'%s' cannot be a key", TYPE_TEXT(c, (*k)->type));
		diag_hint(&c->env->diags, d, "keys are integers, pointers, strings, structs%s",
			  s->kind == SYM_AGG ? ", stacks and symbols" : "");
		return false;
	}
	if (want && !key_compat(c, want, *k)) {
		d = diag_error(&c->env->diags, D_PROTO_ARG, (*k)->at,
			       "key %u of %s%s is '%s' here but was '%s'", i + 1, pre, s->name,
			       TYPE_TEXT(c, (*k)->type), TYPE_TEXT(c, want));
		diag_note(&c->env->diags, d, s->at, "first used here");
		check_cast_hint(c, d, *k, want);
		return false;
	}
	check_address_note(c, *k);
	check_quoted_note(c, *k);
	width_key_met(c, s, i, &want, *k);
	if (s->keys)
		s->keys[i] = want;
	fold_warn_kept(c, *k, want ? want : (*k)->type);
	if (type_is_chars((*k)->type) || (want && type_is_string(want)))
		*k = check_to_string(c, *k);
	else if (want)
		*k = check_cast(c, *k, want);
	else
		*k = check_cast(c, *k, (*k)->type);
	return true;
}

static void key_count_error(struct comp *c, struct sym *s, struct range at, u32 n)
{
	struct diag *d = diag_error(&c->env->diags, D_PROTO_LEN, at,
		"%s%s has %u key%s, not %u", check_prefix(s->space), s->name, s->nkeys,
		s->nkeys == 1 ? "" : "s", n);

	diag_note(&c->env->diags, d, s->at, "first used here");
}

/* Keys of an array or aggregation; the first use decides their number and types. */
struct node *check_keys(struct comp *c, struct sym *s, struct node *n, struct node *keys)
{
	struct node *out = NULL, **tail = &out, *next;
	u32 count, i = 0;
	bool ok = true;

	keys = check_list(c, keys, &ok);
	if (!ok)
		return NULL;
	count = node_count(keys);
	if (s->keys && count != s->nkeys) {
		key_count_error(c, s, n->at, count);
		return NULL;
	}
	for (struct node *k = keys; k; k = next, i++) {
		next = k->next;
		k->next = NULL;
		ok &= key_check(c, s, &k, i);
		*tail = k;
		tail = &k->next;
	}
	if (!ok)
		return NULL;
	if (!s->keys) {
		s->keys = ARENA_ARRAY(c->arena, struct type *, count);
		s->nkeys = count;
		i = 0;
		for (struct node *k = out; k; k = k->next)
			s->keys[i++] = k->type;
	}
	return out;
}

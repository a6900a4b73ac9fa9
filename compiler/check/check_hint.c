/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_hint.c - hints about what was meant: operands that are not numbers, texts in the wrong
 * quotes, = for ==, addresses instead of strings.
 */
#include <stdlib.h>

#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* The text of a node, as it was written. */
static const char *hint_text(struct comp *c, const struct node *n)
{
	return arena_strndup(c->env->arena, n->at.src->text + n->at.from, n->at.to - n->at.from);
}

/* Is it part of the user's program? */
static bool hint_is_written(const struct node *n)
{
	return n->at.src && !n->at.src->is_library && n->at.to > n->at.from;
}

/* ---- operands -------------------------------------------------------------------- */

void check_operand_hint(struct comp *c, struct diag *d, const struct node *n)
{
	const struct type *t = n ? type_base(n->type) : NULL;

	if (n && n->kind == N_AGGREF) {
		foreign_tell(c, d, n->at.src, n->at.from,
			     arena_printf(c->env->arena, "aggregations can only be printed: for a "
					  "value that the program reads again, use a variable, "
					  "written without '@', as %s%s",
					  strcmp(n->name, "_") ? n->name : "x",
					  n->list ? "[key]" : ""));
	} else if (t && t->kind == T_FLOAT) {
		diag_hint(&c->env->diags, d,
			  "D has no floating point arithmetic; %%f shows the value");
	} else if (type_is_wide(t)) {
		diag_hint(
			&c->env->diags, d,
			"D computes with 64 bits: ((uint64_t *)&x)[0] is the lower half of x, [1] "
			"the upper one");
	}
}

bool check_is_operand(const struct node *n)
{
	return hint_is_written(n) && n->at.to > n->at.from + 1 &&
	       n->at.src->text[n->at.from] == '$' && n->at.src->text[n->at.from + 1] != '$';
}

bool check_operand_bad(struct comp *c, u32 tag, const struct node *n)
{
	struct diag *d;

	if (!n || (n->kind != N_STR && n->kind != N_IDENT) || !check_is_operand(n))
		return false;
	d = diag_error(&c->env->diags, tag, n->at, "operand %s is '%s', not an integer",
		       hint_text(c, n), n->kind == N_STR ? n->str : n->name);
	diag_hint(&c->env->diags, d, n->kind == N_STR ? "as a string it is $%s" :
		  "it is read as a name, which the program does not define; as a string it is "
		  "$%s", hint_text(c, n));
	return true;
}

void check_cast_hint(struct comp *c, struct diag *d, const struct node *n, const struct type *to)
{
	if (type_is_scalar(n->type) && type_is_scalar(to) && hint_is_written(n))
		diag_hint(&c->env->diags, d, "write (%s)%s%s%s", TYPE_TEXT(c, to),
			  n->kind == N_BINARY ? "(" : "", hint_text(c, n),
			  n->kind == N_BINARY ? ")" : "");
}

void check_deref_hint(struct comp *c, struct diag *d, const struct node *n)
{
	if (type_is_int(n->type) && hint_is_written(n))
		diag_hint(&c->env->diags, d, "as an address it needs the type of what is there: "
			  "*(int *)%s", hint_text(c, n));
}

/* ---- texts -------------------------------------------------------------------------- */

void check_text_hint(struct comp *c, struct diag *d, const struct node *n)
{
	const char *text = hint_is_written(n) ? hint_text(c, n) : "";

	if (n->kind == N_INT && *text == '\'')
		diag_hint(&c->env->diags, d, "strings take double quotes: \"%.*s\"",
			  (int)strlen(text) - 2, text + 1);
	else if (!strcmp(text, "NULL"))
		diag_hint(&c->env->diags, d, "the empty string is \"\"");
	else if (*text && (n->kind == N_INT || n->kind == N_IDENT))
		diag_hint(&c->env->diags, d, "a string is written in double quotes: \"%s\"", text);
}

void check_quoted_note(struct comp *c, const struct node *n)
{
	const char *text = n->kind == N_INT && hint_is_written(n) ? hint_text(c, n) : "";
	struct diag *d;

	if (*text != '\'' || strlen(text) < sizeof("'ab'"))     /* '\n' is one letter */
		return;
	d = diag_warn(&c->env->diags, DIAG_NONE, n->at, "%s is a number here: the codes of its "
		      "letters", text);
	check_text_hint(c, d, n);
}

/* The most characters that a text can have, by what it is read from; 0: not known. */
static u32 hint_most(const struct node *n)
{
	const char *comm;
	u32 most;

	if (n->kind == N_BUILTIN && builtin_is(n->row, BI_execname))
		return DTX_COMM_LEN - 1;
	if (n->kind == N_STRINGOF)
		n = n->a;
	most = type_is_chars(n->type) ? type_base(n->type)->count : 0;
	comm = most == DTX_COMM_LEN && n->name ? strstr(n->name, "comm") : NULL;
	return comm && !comm[strlen("comm")] ? DTX_COMM_LEN - 1 : most;     /* with a NUL */
}

static void hint_too_long(struct comp *c, const struct node *n, const struct node *text)
{
	u32 most = hint_most(n);
	struct diag *d;

	if (!most || text->kind != N_STR || text->len <= most || !hint_is_written(text))
		return;
	d = diag_warn(&c->env->diags, DIAG_NONE, text->at,
		      "%s has at most %u characters: it is never this text",
		      hint_is_written(n) ? hint_text(c, n) : "what is compared", most);
	if (most == DTX_COMM_LEN - 1)
		diag_hint(&c->env->diags, d, "the kernel keeps the beginning of a thread's name: "
			  "write \"%.*s\"", (int)most, text->str);
}

void check_text_length(struct comp *c, const struct node *n)
{
	if (n->op != OP_EQ && n->op != OP_NE)
		return;
	hint_too_long(c, n->a, n->b);
	hint_too_long(c, n->b, n->a);
}

bool check_number_hint(struct comp *c, struct diag *d, const struct node *n)
{
	char *end;

	if (n->kind != N_STR)
		return false;
	strtoull(n->str, &end, 0);
	if (end == n->str || *end)
		return false;
	diag_hint(&c->env->diags, d, "a number is written without quotes: %s", n->str);
	return true;
}

/* A pointer to characters: its type, else NULL. */
static const struct type *hint_chars(const struct node *n)
{
	const struct type *t = type_base(n->type), *to = t->kind == T_PTR ? type_base(t->to) : NULL;

	return to && to->kind == T_INT && to->size == 1 ? t : NULL;
}

void check_address_note(struct comp *c, const struct node *n)
{
	const struct type *t = hint_chars(n);

	if (!t || !hint_is_written(n) || n->kind == N_CAST || !scope_once(c, hint_text(c, n)))
		return;
	diag_remark(&c->env->diags, n->at, "this is the address of a string: %s(%s) is the text",
		    t->is_user ? "copyinstr" : "stringof", hint_text(c, n));
}

/* Of one probe: true if it was told. */
static bool copyinstr_note(struct comp *c, const struct node *call, u32 probe)
{
	const struct node *from = call->list;
	const struct dtx_arg *given = check_arg_of_call(c, probe, from->value);
	const struct dtx_arg *text;
	const struct node *arg;

	if (!given || !type_is_int(given->type) || !given->name)
		return false;
	for (u32 i = 0; (text = check_arg_of_call(c, probe, i)); i++) {
		arg = &(struct node){ .type = text->type };
		if (!hint_chars(arg) || !text->name)
			continue;
		diag_remark(&c->env->diags, call->at,
			    "arg%u of %s is the number '%s': the %s is arg%u", (u32)from->value,
			    c->check->inst->probes[probe]->func, given->name,
			    strstr(text->name, "name") ? "path" : text->name, i);
		return true;
	}
	return false;
}

void check_copyinstr_note(struct comp *c, const struct node *call)
{
	const struct node *from = call->list;

	if (!from || from->kind != N_ARG || !from->raw)
		return;
	for (u32 i = 0; i < c->check->inst->nprobes; i++)
		if (copyinstr_note(c, call, i))
			return;
}

/* The number that argument `index` is in another probe of the clause: "flags" of open at openat. */
static const char *mask_wanted(struct comp *c, u32 index)
{
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		const struct dtx_arg *a = check_arg_look(c, i, index);

		if (a && a->name && type_is_int(a->type))
			return a->name;
	}
	return "flags";
}

/* Of one probe: true if it was told. */
static bool mask_note(struct comp *c, const struct node *arg, u32 probe)
{
	const struct dtx_arg *given = check_arg_look(c, probe, arg->value), *a;
	const char *wanted = mask_wanted(c, arg->value), *where = "";

	if (!given || !given->name || !hint_chars(&(struct node){ .type = given->type }))
		return false;
	for (u32 i = 0; (a = check_arg_look(c, probe, i)); i++)
		if (a->name && !strcmp(a->name, wanted))
			where = arena_printf(c->arena, ": the %s are arg%u", wanted, i);
	diag_remark(&c->env->diags, arg->at, "arg%u of %s is the address of '%s'%s",
		    (u32)arg->value, c->check->inst->probes[probe]->func, given->name, where);
	return true;
}

/* arg1 & O_CREAT, where arg1 is a path. */
void check_mask_note(struct comp *c, const struct node *n)
{
	const struct node *arg = n->a->kind == N_ARG ? n->a : n->b;

	if (n->op != '&' || arg->kind != N_ARG || !arg->raw || !c->check->inst)
		return;
	for (u32 i = 0; i < c->check->inst->nprobes; i++)
		if (mask_note(c, arg, i))
			return;
}

/* ---- = for == ------------------------------------------------------------------------ */

static bool hint_is_param(struct comp *c, const struct node *to)
{
	return to->kind == N_IDENT && to->scope == SCOPE_PLAIN && check_is_new(c, to) &&
	       check_arg_known(c, to->name);
}

/* A variable of the program, or a new one: check_assign() refuses other names. */
static bool hint_is_variable(struct comp *c, const struct node *to)
{
	enum sym_space space;
	const char *name;

	while (to->kind == N_INDEX || to->kind == N_MEMBER)
		to = to->a;
	return check_scoped(to, &space, &name) &&
	       (check_is_new(c, to) || scope_find(c, space, name));
}

/* A new name and a constant: the condition would always be the same. */
static bool hint_is_typo(struct comp *c, const struct node *n)
{
	return n->a->kind == N_IDENT && n->a->scope == SCOPE_PLAIN && check_is_new(c, n->a) &&
	       (n->b->kind == N_INT || n->b->kind == N_STR);
}

static bool hint_assigns(struct comp *c, struct node *n)
{
	bool param = hint_is_param(c, n->a);
	struct diag *d;

	c->check->cond_assign = n;
	if (param || hint_is_typo(c, n)) {
		d = param ? diag_error(&c->env->diags, D_OP_WRITE, n->a->at,
				       "'%s' is a parameter of the probe, which is read-only",
				       n->a->name)
			  : diag_error(&c->env->diags, D_IDENT_UNDEF, n->a->at,
				       "unknown name '%s'", n->a->name);
		diag_hint(&c->env->diags, d, "did you mean '=='?");
		return false;
	}
	if (hint_is_variable(c, n->a)) {
		d = diag_warn(&c->env->diags, DIAG_NONE, n->at,
			      "'=' assigns: the condition is the value that is assigned");
		diag_hint(&c->env->diags, d, "did you mean '=='? If not, put the assignment in "
					     "parentheses: (%s)", hint_text(c, n));
	}
	return true;
}

bool check_cond_assigns(struct comp *c, struct node *n)
{
	if (n->paren || !hint_is_written(n))
		return true;
	if (n->kind == N_BINARY && (n->op == OP_ANDAND || n->op == OP_OROR || n->op == OP_XORXOR))
		return check_cond_assigns(c, n->a) && check_cond_assigns(c, n->b);
	if (n->kind == N_ASSIGN && n->op == '=')
		return hint_assigns(c, n);
	return true;
}

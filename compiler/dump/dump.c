/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump.c - programs as text: the tree after parsing and after checking, one node per
 * line, without places, for comparison; and expressions as D (exprtext.c).
 */
#include <dtx/aggs.h>

#include "compiler/dump/dump.h"

#define INDENT 2

struct dump {
	struct buf *out;
	bool typed;
};

static void dump_string(struct buf *out, const char *s, u32 len)
{
	static const char names[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
	const char *known;

	buf_putc(out, '"');
	for (u32 i = 0; i < len; i++) {
		known = memchr(names, s[i], sizeof(names) - 1);
		if (known)
			buf_printf(out, "\\%c", letters[known - names]);
		else if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			buf_printf(out, "\\%03o", (unsigned char)s[i]);
		else
			buf_putc(out, s[i]);
	}
	buf_putc(out, '"');
}

static const char *scope_text(int scope)
{
	return scope == SCOPE_SELF ? "self->" : scope == SCOPE_THIS ? "this->" : "";
}

static const char *space_text(const struct sym *s)
{
	return s->space == SPACE_SELF ? "self->" : s->space == SPACE_THIS ? "this->" :
	       s->space == SPACE_AGG ? "@" : "";
}

static void dump_type(struct buf *out, const char *before, const struct type *t, const char *after)
{
	buf_puts(out, before);
	if (t)
		type_text(t, out);
	buf_puts(out, after);
}

/* Literals and names: leaves. */
static bool dump_leaf(struct dump *d, const struct node *n)
{
	struct buf *out = d->out;

	switch (n->kind) {
	case N_INT:
		buf_printf(out, type_signed(n->type) ? "int %lld" : "int %llu",
			   (unsigned long long)n->value);
		if (!d->typed && n->type != &ty_int)
			dump_type(out, " (", n->type, ")");
		return true;
	case N_STR:
		buf_puts(out, "string ");
		dump_string(out, n->str, n->len);
		return true;
	case N_IDENT:
		buf_printf(out, "name %s%s", scope_text(n->scope), n->name);
		return true;
	case N_VAR:
	case N_ASSOC:
		buf_printf(out, "%s %s%s", n->kind == N_VAR ? "variable" : "element",
			   n->sym ? space_text(n->sym) : "", n->sym ? n->sym->name : "?");
		return true;
	case N_BUILTIN:
		buf_printf(out, "builtin %s", n->row ? n->row->name : n->name);
		return true;
	case N_ARG:
		buf_printf(out, n->raw ? "argument arg%llu" : "argument args[%llu]",
			   (unsigned long long)n->value);
		return true;
	case N_KSYM:
		buf_printf(out, "kernel object %s", n->name ? n->name : "?");
		return true;
	case N_AGGREF:
		buf_printf(out, "aggregation @%s", n->sym ? n->sym->name : n->name);
		return true;
	default:
		return false;
	}
}

/* Expressions with operands; dispatch. */
static bool dump_operator(struct dump *d, const struct node *n)
{
	struct buf *out = d->out;

	switch (n->kind) {
	case N_CALL:
		buf_printf(out, "call %s", n->row ? n->row->name : n->name ? n->name : "");
		return true;
	case N_INDEX:
		buf_puts(out, "index");
		return true;
	case N_MEMBER:
		buf_printf(out, "member %s%s", n->op == '.' ? "." : "->", n->name);
		return true;
	case N_UNARY:
		buf_printf(out, "unary %c", n->op);
		return true;
	case N_INCDEC:
		buf_printf(out, "%s %c%c", n->prefix ? "prefix" : "postfix", n->op, n->op);
		return true;
	case N_BINARY:
		buf_printf(out, "binary %s", op_text(n->op));
		return true;
	case N_ASSIGN:
		buf_printf(out, "assign %s%s", n->op == '=' ? "" : op_text(n->op), "=");
		return true;
	case N_COND:
		buf_puts(out, "conditional");
		return true;
	case N_COMMA:
		buf_puts(out, "comma");
		return true;
	default:
		return false;
	}
}

/* What names a type; dispatch. */
static bool dump_typed_operator(struct dump *d, const struct node *n)
{
	struct buf *out = d->out;

	switch (n->kind) {
	case N_CAST:
		dump_type(out, "cast (", n->type, ")");
		return true;
	case N_SIZEOF:
		dump_type(out, n->type ? "sizeof (" : "sizeof", n->type, n->type ? ")" : "");
		return true;
	case N_OFFSETOF:
		dump_type(out, "offsetof (", n->type, ", ");
		buf_printf(out, "%s)", n->name);
		return true;
	case N_STRINGOF:
		buf_puts(out, "stringof");
		return true;
	case N_XLATE:
		dump_type(out, "xlate <", n->type, ">");
		return true;
	default:
		return false;
	}
}

static void dump_statement(struct dump *d, const struct node *n)
{
	struct buf *out = d->out;

	switch (n->kind) {
	case N_EXPR:
		buf_puts(out, "statement");
		break;
	case N_AGG:
		buf_printf(out, "aggregate @%s = %s", n->str ? n->str : n->sym ? n->sym->name : "?",
			   n->aggrow ? n->aggrow->name : n->name);
		break;
	case N_IF:
		buf_puts(out, "if");
		break;
	case N_BLOCK:
		buf_puts(out, "block");
		break;
	case N_LOOP:
		buf_puts(out, "loop");
		break;
	case N_JUMP:
		buf_puts(out, n->op == 'b' ? "break" : n->op == 'c' ? "continue" : "return");
		break;
	case N_ACTION:
		buf_printf(out, "action %s", n->row ? n->row->name : n->name ? n->name : "");
		break;
	default:
		buf_printf(out, "node %d", n->kind);
	}
}

static void dump_tree(struct dump *d, const struct node *n, u32 level);

static void dump_list(struct dump *d, const char *title, const struct node *list, u32 level)
{
	if (!list)
		return;
	if (title) {
		buf_pad(d->out, ' ', level * INDENT);
		buf_printf(d->out, "%s\n", title);
		level++;
	}
	for (; list; list = list->next)
		dump_tree(d, list, level);
}

/* The place of a member in its struct, and the source of its type. */
static void dump_field(struct buf *out, const struct node *n)
{
	const struct field *f = &n->field;
	const struct type *su = type_base(n->op == OP_ARROW ? type_target(n->a->type) : n->a->type);

	buf_printf(out, ", at %u", f->off);
	if (f->unit)
		buf_printf(out, ", bit %u, %u bits in %u byte%s%s", f->shift, f->size, f->unit,
			   f->unit == 1 ? "" : "s", f->is_over ? " and one more" : "");
	if (su && su->origin && strcmp(su->origin, "the program"))
		buf_printf(out, " (%s)", su->origin);
}

/* The memory decided by check/expr/memory.c; not shown for variables and numbers. */
static void dump_memory(struct buf *out, const struct node *n)
{
	static const char *const names[] = {
		[MEM_OWN] = "own", [MEM_TRUSTED] = "trusted", [MEM_KERNEL] = "kernel",
		[MEM_USER] = "user", [MEM_SCRATCH] = "scratch", [MEM_ANY] = "any",
	};

	if (n->kind == N_MEMBER && n->member)
		dump_field(out, n);
	if (n->lies && n->kind != N_VAR && n->kind != N_ASSOC)
		buf_printf(out, ", in %s memory", names[n->lies]);
	if (n->leads && type_is_ptr(n->type))
		buf_printf(out, ", to %s memory", names[n->leads]);
}

static void dump_tree(struct dump *d, const struct node *n, u32 level)
{
	buf_pad(d->out, ' ', level * INDENT);
	if (!dump_leaf(d, n) && !dump_operator(d, n) && !dump_typed_operator(d, n))
		dump_statement(d, n);
	if (d->typed && n->type && n->kind != N_CAST && n->kind < N_EXPR)
		dump_type(d->out, " : ", n->type, "");
	if (d->typed && n->type)
		dump_memory(d->out, n);
	buf_putc(d->out, '\n');
	if (n->kind == N_IF) {
		dump_tree(d, n->a, level + 1);
		dump_list(d, "then", n->b, level + 1);
		dump_list(d, "else", n->c, level + 1);
	} else if (n->kind == N_LOOP) {
		dump_list(d, "while", n->a, level + 1);
		dump_list(d, "do", n->b, level + 1);
		dump_list(d, "then", n->c, level + 1);
	} else if (n->kind == N_AGG) {
		dump_list(d, "keys", n->list, level + 1);
		dump_list(d, "arguments", n->b, level + 1);
	} else {
		dump_list(d, NULL, n->a, level + 1);
		dump_list(d, NULL, n->b, level + 1);
		dump_list(d, NULL, n->c, level + 1);
		dump_list(d, NULL, n->list, level + 1);
	}
}

/* ---- declarations ------------------------------------------------------------------- */

static void dump_sym(struct dump *d, const struct sym *s)
{
	dump_type(d->out, s->kind == SYM_INLINE ? "inline " : "declare ", s->type, " ");
	buf_printf(d->out, "%s%s", space_text(s), s->name);
	for (u32 i = 0; i < s->nkeys; i++)
		dump_type(d->out, i ? ", " : "[", s->keys[i], i + 1 == s->nkeys ? "]" : "");
	for (u32 i = 0; i < s->nparams; i++) {
		dump_type(d->out, i ? ", " : "[", s->params[i]->type, " ");
		buf_printf(d->out, "%s%s", s->params[i]->name, i + 1 == s->nparams ? "]" : "");
	}
	if (s->is_const)
		buf_printf(d->out, " = %lld", (long long)s->value);
	buf_putc(d->out, '\n');
	if (s->kind == SYM_INLINE && !s->is_const)
		dump_tree(d, s->expr, 1);
}

static void dump_member(struct dump *d, const struct type_member *m)
{
	dump_type(d->out, "  ", m->type, "");
	if (m->name)
		buf_printf(d->out, " %s", m->name);
	buf_printf(d->out, " at %u", m->bit_off / 8);
	if (m->bit_size)
		buf_printf(d->out, ", bit %u, %u bits", m->bit_off % 8, m->bit_size);
	buf_putc(d->out, '\n');
}

static void dump_typedef(struct dump *d, const struct type *t)
{
	if (t->kind == T_TYPEDEF) {
		buf_printf(d->out, "typedef %s = ", t->name);
		dump_type(d->out, "", t->to, "\n");
		return;
	}
	type_text(t, d->out);
	buf_printf(d->out, ", %llu bytes\n", (unsigned long long)t->size);
	for (u32 i = 0; t->kind != T_ENUM && i < t->count; i++)
		dump_member(d, &t->members[i]);
	for (u32 i = 0; t->kind == T_ENUM && i < t->count; i++)
		buf_printf(d->out, "  %s = %lld\n", t->enums[i].name, (long long)t->enums[i].value);
}

static void dump_params(struct dump *d, const struct type_member *m, u32 n)
{
	buf_putc(d->out, '(');
	for (u32 i = 0; i < n; i++) {
		dump_type(d->out, i ? ", " : "", m[i].type, m[i].name ? " " : "");
		buf_puts(d->out, m[i].name ? m[i].name : "");
	}
	buf_putc(d->out, ')');
}

static void dump_provdef(struct dump *d, const struct provdef *def)
{
	buf_printf(d->out, "provider %s\n", def->name);
	for (const struct provdef_probe *p = def->probes; p; p = p->next) {
		buf_printf(d->out, "  probe %s", p->name);
		dump_params(d, p->native, p->nnative);
		if (p->has_mapped) {
			buf_puts(d->out, " : ");
			dump_params(d, p->mapped, p->nmapped);
		}
		buf_putc(d->out, '\n');
	}
}

static void dump_translator(struct dump *d, const struct translator *x)
{
	dump_type(d->out, "translator ", x->out, "");
	dump_type(d->out, " < ", x->in, "");
	buf_printf(d->out, " %s >\n", x->param);
	for (const struct xlate_member *m = x->members; m; m = m->next) {
		buf_printf(d->out, "  %s\n", m->name);
		dump_tree(d, m->expr, 2);
	}
}

/* ---- programs -------------------------------------------------------------------------- */

static void dump_body(struct dump *d, const struct node *pred, const struct node *body,
		      bool has_body)
{
	if (pred) {
		buf_puts(d->out, "  predicate\n");
		dump_tree(d, pred, 2);
	}
	if (has_body)
		buf_puts(d->out, body ? "  body\n" : "  body, empty\n");
	dump_list(d, NULL, body, 2);
}

static void dump_clause(struct dump *d, const struct clause *cl)
{
	buf_printf(d->out, "clause %u\n", cl->index);
	for (const struct pdesc *p = cl->descs; p; p = p->next)
		buf_printf(d->out, "  probe %s\n", p->text);
	dump_body(d, cl->pred, cl->body, cl->has_body);
}

void dump_ast(struct comp *c, struct buf *out)
{
	struct dump d = { .out = out };

	for (const struct toplevel *it = c->ast.toplevel; it; it = it->next) {
		switch (it->kind) {
		case TOP_CLAUSE:
			dump_clause(&d, it->what);
			break;
		case TOP_SYM:
			dump_sym(&d, it->what);
			break;
		case TOP_TYPE:
			dump_typedef(&d, it->what);
			break;
		case TOP_XLATE:
			dump_translator(&d, it->what);
			break;
		case TOP_PROVDEF:
			dump_provdef(&d, it->what);
			break;
		}
	}
}

static void dump_sym_typed(struct buf *out, const struct sym *s)
{
	static const char *const kinds[] = { "variable", "associative array", "aggregation" };

	buf_printf(out, "%s %s%s", kinds[s->kind], space_text(s), s->name);
	for (u32 i = 0; i < s->nkeys; i++)
		dump_type(out, i ? ", " : "[", s->keys[i], i + 1 == s->nkeys ? "]" : "");
	if (s->kind == SYM_AGG)
		buf_printf(out, " = %s", s->agg ? s->agg->name : "?");
	else
		dump_type(out, " : ", s->type, "");
	buf_putc(out, '\n');
}

void dump_typed(struct comp *c, struct buf *out)
{
	struct dump d = { .out = out, .typed = true };

	for (const struct sym *s = c->syms; s; s = s->next)
		if (s->kind <= SYM_AGG)
			dump_sym_typed(out, s);
	for (const struct inst *in = c->insts; in; in = in->next) {
		buf_printf(out, "clause %u on %s\n", in->clause->index, in->desc->text);
		dump_body(&d, in->pred, in->body, in->clause->has_body);
	}
}

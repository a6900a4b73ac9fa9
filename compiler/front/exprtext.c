/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exprtext.c - an expression or statement as D text, with the parentheses it needs.
 */
#include <dtx/aggs.h>

#include "compiler/front/front.h"

const char *op_text(int op)
{
	static const char *const longs[] = {
		"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", "=~", "!~",
	};
	static const char shorts[] = "+\0-\0*\0/\0%\0&\0|\0^\0~\0!\0<\0>\0=\0,\0.\0?";

	if (op >= OP_SHL && op <= OP_UNLIKE)
		return longs[op - OP_SHL];
	for (u32 i = 0; i < sizeof(shorts); i += 2)
		if (shorts[i] == op)
			return shorts + i;
	return "?";
}

/* Levels of the grammar; a child of a lower level gets parentheses. */
enum {
	P_COMMA, P_ASSIGN, P_COND, P_OROR, P_XORXOR, P_ANDAND, P_OR, P_XOR, P_AND, P_EQUAL,
	P_RELATION, P_SHIFT, P_SUM, P_PRODUCT, P_UNARY, P_POSTFIX,
};

static int op_level(int op)
{
	switch (op) {                                           /* dispatch */
	case OP_OROR:   return P_OROR;
	case OP_XORXOR: return P_XORXOR;
	case OP_ANDAND: return P_ANDAND;
	case '|':       return P_OR;
	case '^':       return P_XOR;
	case '&':       return P_AND;
	case OP_EQ:
	case OP_NE:     return P_EQUAL;
	case '<':
	case '>':
	case OP_LE:
	case OP_GE:     return P_RELATION;
	case OP_SHL:
	case OP_SHR:    return P_SHIFT;
	case '+':
	case '-':       return P_SUM;
	default:        return P_PRODUCT;
	}
}

static int node_level(const struct node *n)
{
	switch (n->kind) {
	case N_COMMA:    return P_COMMA;
	case N_ASSIGN:   return P_ASSIGN;
	case N_COND:     return P_COND;
	case N_BINARY:   return op_level(n->op);
	case N_UNARY:
	case N_CAST:
	case N_SIZEOF:   return P_UNARY;
	case N_INCDEC:   return n->prefix ? P_UNARY : P_POSTFIX;
	default:         return P_POSTFIX;
	}
}

static void node_text(const struct node *, struct buf *);

static void text_child(const struct node *n, int level, struct buf *out)
{
	bool paren = node_level(n) < level;

	if (paren)
		buf_putc(out, '(');
	node_text(n, out);
	if (paren)
		buf_putc(out, ')');
}

static void text_list(const char *open, const struct node *list, const char *close,
		      struct buf *out)
{
	buf_puts(out, open);
	for (const struct node *n = list; n; n = n->next) {
		text_child(n, P_ASSIGN, out);
		if (n->next)
			buf_puts(out, ", ");
	}
	buf_puts(out, close);
}

static void text_string(const struct node *n, struct buf *out)
{
	static const char special[] = "\n\t\r\"\\", letters[] = "ntr\"\\";
	const char *known;

	buf_putc(out, '"');
	for (u32 i = 0; i < n->len; i++) {
		known = memchr(special, n->str[i], sizeof(special) - 1);
		if (known)
			buf_printf(out, "\\%c", letters[known - special]);
		else
			buf_putc(out, n->str[i]);
	}
	buf_putc(out, '"');
}

static void text_sym(const struct node *n, struct buf *out)
{
	static const char *const before[] = { "", "self->", "this->", "@" };

	if (n->sym)
		buf_printf(out, "%s%s", before[n->sym->space], n->sym->name);
	else
		buf_printf(out, "%s%s", n->kind == N_AGGREF ? "@" : "", n->name ? n->name : "?");
	if (n->list)
		text_list("[", n->list, "]", out);
}

static void text_op(const struct node *n, struct buf *out)
{
	int level = node_level(n);

	text_child(n->a, n->kind == N_ASSIGN ? P_UNARY : level, out);
	if (n->kind == N_COMMA)
		buf_puts(out, ", ");
	else if (n->kind == N_ASSIGN)
		buf_printf(out, " %s= ", n->op == '=' ? "" : op_text(n->op));
	else
		buf_printf(out, " %s ", op_text(n->op));
	text_child(n->b, n->kind == N_ASSIGN ? P_ASSIGN : level + 1, out);
}

static void text_cond(const struct node *n, struct buf *out)
{
	text_child(n->a, P_OROR, out);
	buf_puts(out, " ? ");
	text_child(n->b, P_COMMA, out);
	buf_puts(out, " : ");
	text_child(n->c, P_COND, out);
}

/* A space keeps `- -x` from becoming `--x`. */
static void text_unary(const struct node *n, struct buf *out)
{
	buf_putc(out, n->op);
	if (n->a->kind == N_UNARY && n->a->op == n->op)
		buf_putc(out, ' ');
	text_child(n->a, P_UNARY, out);
}

static void text_incdec(const struct node *n, struct buf *out)
{
	if (n->prefix)
		buf_printf(out, "%c%c", n->op, n->op);
	text_child(n->a, n->prefix ? P_UNARY : P_POSTFIX, out);
	if (!n->prefix)
		buf_printf(out, "%c%c", n->op, n->op);
}

static void text_index(const struct node *n, struct buf *out)
{
	text_child(n->a, P_POSTFIX, out);
	text_list("[", n->list ? n->list : n->b, "]", out);
}

static void text_call(const struct node *n, struct buf *out)
{
	if (n->row || n->name)
		buf_puts(out, n->row ? n->row->name : n->name);
	else if (n->a)
		text_child(n->a, P_POSTFIX, out);
	text_list("(", n->list, ")", out);
}

static void text_typed(const struct node *n, struct buf *out)
{
	static const char *const words[N_KINDS] = {
		[N_CAST] = "(", [N_SIZEOF] = "sizeof (", [N_OFFSETOF] = "offsetof (",
		[N_XLATE] = "xlate <",
	};

	buf_puts(out, words[n->kind]);
	if (n->type)
		type_text(n->type, out);
	else if (n->a)
		node_text(n->a, out);
	if (n->kind == N_OFFSETOF)
		buf_printf(out, ", %s", n->name);
	buf_puts(out, n->kind == N_XLATE ? "> " : ")");
	if (n->kind == N_CAST && n->a)
		text_child(n->a, P_UNARY, out);
	else if (n->kind == N_XLATE && n->a)
		text_list("(", n->a, ")", out);
}

static void text_agg(const struct node *n, struct buf *out)
{
	buf_printf(out, "@%s", n->str ? n->str : n->sym ? n->sym->name : "?");
	if (n->list)
		text_list("[", n->list, "]", out);
	buf_printf(out, " = %s", n->aggrow ? n->aggrow->name : n->name);
	text_list("(", n->b, ")", out);
}

static void text_if(const struct node *n, struct buf *out)
{
	buf_puts(out, "if (");
	node_text(n->a, out);
	buf_puts(out, ") { … }");
}

static void text_ident(const struct node *n, struct buf *out)
{
	buf_printf(out, "%s%s", n->scope == SCOPE_SELF ? "self->" :
		   n->scope == SCOPE_THIS ? "this->" : "", n->name);
}

/* dispatch */
static void node_text(const struct node *n, struct buf *out)
{
	switch (n->kind) {
	case N_INT:
		buf_printf(out, "%lld", (long long)n->value);
		break;
	case N_STR:
		text_string(n, out);
		break;
	case N_IDENT:
		text_ident(n, out);
		break;
	case N_VAR:
	case N_ASSOC:
	case N_AGGREF:
		text_sym(n, out);
		break;
	case N_BUILTIN:
		buf_puts(out, n->row ? n->row->name : n->name);
		break;
	case N_ARG:
		buf_printf(out, n->raw ? "arg%llu" : "args[%llu]", (unsigned long long)n->value);
		break;
	case N_CALL:
	case N_ACTION:
		text_call(n, out);
		break;
	case N_INDEX:
		text_index(n, out);
		break;
	case N_MEMBER:
		text_child(n->a, P_POSTFIX, out);
		buf_printf(out, "%s%s", n->op == '.' ? "." : "->", n->name);
		break;
	case N_UNARY:
		text_unary(n, out);
		break;
	case N_INCDEC:
		text_incdec(n, out);
		break;
	case N_BINARY:
	case N_ASSIGN:
	case N_COMMA:
		text_op(n, out);
		break;
	case N_COND:
		text_cond(n, out);
		break;
	case N_CAST:
	case N_SIZEOF:
	case N_OFFSETOF:
	case N_XLATE:
		text_typed(n, out);
		break;
	case N_STRINGOF:
		text_list("stringof(", n->a, ")", out);
		break;
	case N_EXPR:
		node_text(n->a, out);
		break;
	case N_AGG:
		text_agg(n, out);
		break;
	case N_IF:
		text_if(n, out);
		break;
	case N_LOOP:
		buf_puts(out, "for (...) ...");
		break;
	case N_JUMP:
		buf_puts(out, n->op == 'b' ? "break" : n->op == 'c' ? "continue" : "return");
		break;
	default:
		buf_puts(out, n->name ? n->name : "?");
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_fmt.c - printf and printa formats: splits them into conversions, and checks these
 * by convs.def.
 *
 * Makes the pieces of struct img_conv; the consumer uses them without further checks.
 */
#include <ctype.h>
#include <stdlib.h>

#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

enum accept { INT, CHAR, STRING, PORT, WSTR, PTR, TIME, STACK, SYM, USYM, RAW, FLOAT };

static const struct conv_row {
	const char *conv, *sizes;
	enum accept accept;
	const char *doc;
} conv_rows[] = {
#define CONV(conv, sizes, accept, doc) { conv, sizes, accept, doc },
#include <dtx/tables/convs.def>
#undef CONV
};

/* A format being taken apart. */
struct fmt {
	struct comp *c;
	const char *what;        /* "printf" */
	const struct node *node; /* the literal */
	const char *p;
	struct buf text;         /* before the next conversion */
	struct node *arg;        /* next value (printf) */
	struct node **tail;      /* values taken, converted */
	struct sym *agg;         /* printa: keys are the values */
	u32 key;
	u32 nth;                 /* conversion, from 1 */
	struct img_action *act;
	struct img_conv *convs;
	u32 nconvs;
	struct shell shell;      /* system(): where in the command the next value is */
};

bool check_is_format(const struct node *n)
{
	return n->kind == N_STR;
}

static struct img_conv *fmt_push(struct fmt *f)
{
	struct arena *a = f->c->img->arena;
	struct img_conv v = { .width = -1, .prec = -1 };

	v.text = arena_strndup(a, f->text.data ? f->text.data : "", f->text.len);
	ARENA_PUSH(a, f->convs, f->nconvs, v);
	buf_reset(&f->text);
	return &f->convs[f->nconvs - 1];
}

/* ---- one conversion as written ------------------------------------------------------ */

static void fmt_flags(struct fmt *f, char *flags)
{
	while (*f->p && strchr("-0+ #'?@", *f->p)) {
		if (!strchr(flags, *f->p)) {
			flags[strlen(flags) + 1] = 0;
			flags[strlen(flags)] = *f->p;
		}
		f->p++;
	}
}

static s32 fmt_number(struct fmt *f, bool *arg)
{
	s64 n = 0;

	if (*f->p == '*') {
		f->p++;
		*arg = true;
		return -1;
	}
	while (isdigit((unsigned char)*f->p)) {
		n = MIN(n * 10 + (*f->p - '0'), IMG_WIDTH_MAX);
		f->p++;
	}
	return n;
}

static const char *fmt_size(struct fmt *f)
{
	static const char *const sizes[] = { "hh", "h", "ll", "l", "L", "w", "j", "z", "t" };

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t n = strlen(sizes[i]);

		if (!strncmp(f->p, sizes[i], n)) {
			f->p += n;
			return sizes[i];
		}
	}
	return "";
}

static bool fmt_has_size(const char *sizes, const char *size)
{
	size_t n = strlen(*size ? size : "-");

	if (!*size)
		size = "-";
	for (const char *p = sizes; *p; p += strcspn(p, " "), p += *p == ' ')
		if (strcspn(p, " ") == n && !strncmp(p, size, n))
			return true;
	return false;
}

static const struct conv_row *fmt_row(char letter, const char *size)
{
	for (u32 i = 0; i < ARRAY_SIZE(conv_rows); i++)
		if (conv_rows[i].conv[0] == letter && fmt_has_size(conv_rows[i].sizes, size))
			return &conv_rows[i];
	return NULL;
}

/* The letters of all conversions, each once. */
static const char *fmt_letters(struct arena *a)
{
	const char *all = "";

	for (u32 i = 0; i < ARRAY_SIZE(conv_rows); i++)
		if (!strstr(all, conv_rows[i].conv))
			all = arena_printf(a, "%s%s%s", all, *all ? " " : "", conv_rows[i].conv);
	return all;
}

/* f->p is at the letter, which may be missing. */
static bool fmt_bad(struct fmt *f, const char *from, const char *size)
{
	struct diags *ds = &f->c->env->diags;
	struct diag *d = diag_error(ds, D_SYNTAX, f->node->at, "'%.*s' is not a conversion of %s()",
				    (int)(f->p - from + (*f->p != 0)), from, f->what);

	if (*size && *f->p && fmt_row(*f->p, ""))
		diag_hint(ds, d, "the size comes from the argument: %%%c", *f->p);
	else if (isalpha((unsigned char)*f->p))
		diag_hint(ds, d, "the conversions are %s; %%%% prints a percent sign",
			  fmt_letters(f->c->img->arena));
	else
		diag_hint(ds, d, "%%%% prints a percent sign");
	return false;
}

/* f->p is after the percent sign. */
static const struct conv_row *fmt_conversion(struct fmt *f, struct img_conv *v)
{
	const char *from = f->p - 1;
	char flags[16] = "";
	const struct conv_row *row;
	s32 n;

	fmt_flags(f, flags);
	n = fmt_number(f, &v->width_arg);
	v->width = n > 0 ? n : -1;
	fmt_flags(f, flags);
	if (*f->p == '.') {
		f->p++;
		n = fmt_number(f, &v->prec_arg);
		v->prec = n > 0 ? n : -1;
	}
	fmt_flags(f, flags);
	v->flags = arena_strdup(f->c->img->arena, flags);
	v->size = fmt_size(f);
	row = *f->p ? fmt_row(*f->p, v->size) : NULL;
	if (!row) {
		fmt_bad(f, from, v->size);
		return NULL;
	}
	v->conv = row->conv;
	f->p++;
	if (row->accept == RAW && *f->p && strchr("xh", *f->p))
		v->size = *f->p++ == 'x' ? "x" : "h";
	return row;
}

/* ---- its argument ------------------------------------------------------------------------ */

#define RANK_LONG_LONG 6         /* type.int_rank */

/* A name for 64 bits (uint64_t) or an aggregation may be printed as long or long long. */
static bool accept_int(struct comp *c, const struct img_conv *v, const struct type *type)
{
	const struct type *t = type_base((struct type *)type);
	u64 size = type_size(c, t);

	if (!type_is_int(t))
		return false;
	if (!strcmp(v->size, "h"))
		return size == 2;
	if (!*v->size || size != 8)
		return !*v->size;
	return type->kind == T_TYPEDEF || strchr(v->flags, '@') ||
	       (t->int_rank == RANK_LONG_LONG) == !strcmp(v->size, "ll");
}

/* `char *` of the traced program: the string is copied in from user memory. */
static bool is_user_text(const struct type *t)
{
	const struct type *to = t->kind == T_PTR && t->is_user ? type_base(t->to) : NULL;

	return to && to->kind == T_INT && to->size == 1 && !to->is_bool;
}

static bool is_bytes(const struct type *t)
{
	const struct type *to = t->kind == T_ARRAY ? type_base(t->to) : NULL;

	return to && to->kind == T_INT && to->size == 1;
}

static bool accepts(struct comp *c, const struct conv_row *row, const struct img_conv *v,
		    const struct type *type)     /* dispatch */
{
	const struct type *t = type_base((struct type *)type);

	switch (row->accept) {
	case INT:
		return accept_int(c, v, type);
	case CHAR:
		return type_is_int(t) && type_size(c, t) <= 4;
	case PORT:
		return type_is_int(t) || t->kind == T_STRING || type_is_chars(t) || is_user_text(t);
	case STRING:
		return t->kind == T_STRING || type_is_chars(t) || is_user_text(t) ||
		       (!*v->size && v->conv[0] == 's' &&
			(t->kind == T_STACK || t->kind == T_SYMADDR));
	case WSTR:
		return t->kind == T_ARRAY && type_is_int(t->to) && type_size(c, t->to) == 4;
	case PTR:
		return type_is_scalar(t);
	case TIME:
		return type_is_int(t) && type_size(c, t) == 8;
	case STACK:
		return t->kind == T_STACK;
	case SYM:
		return type_is_scalar(t) || (t->kind == T_SYMADDR && !t->is_user);
	case USYM:
		return (t->kind == T_SYMADDR && t->is_user) ||
		       (type_is_scalar(t) && c->env->target_pid);
	case RAW:
		return t->kind == T_STRING || is_bytes(t);
	default:
		return type_is_real(t) && (v->size[0] != 'L' || t->size > 8);
	}
}

/* What a conversion with size letters takes. */
static const char *accept_sized(const char *size)
{
	return !strcmp(size, "h") ? "a 'short'" : !strcmp(size, "l") ? "a 'long'" : "a 'long long'";
}

static const char *accept_text(enum accept a)
{
	static const char *const texts[] = {
		[INT] = "an integer", [CHAR] = "an integer of at most 4 bytes",
		[STRING] = "a string", [PORT] = "an integer or a string",
		[WSTR] = "an array of 32-bit characters",
		[PTR] = "a pointer or an integer", [TIME] = "a 64-bit integer",
		[STACK] = "a stack", [SYM] = "a kernel address", [USYM] = "a user address",
		[RAW] = "the bytes of buf()",
		[FLOAT] = "a float, double or long double (%Lf: the latter)",
	};

	return texts[a];
}

/* Strings of other languages are structures of an address and a length in bytes, without a NUL. */
static bool fmt_hint_slice(struct fmt *f, struct diag *d, struct type *t, struct range at)
{
	static const struct {
		const char *of, *bytes, *len;
	} slices[] = { { "Go", "str", "len" }, { "Rust", "data_ptr", "length" } };
	int n = at.src ? (int)MIN(at.to - at.from, 60u) : 0;
	const char *text = at.src ? at.src->text + at.from : "";
	u32 bits = 0;

	for (u32 i = 0; t->kind == T_STRUCT && i < ARRAY_SIZE(slices); i++)
		if (type_find_member(t, slices[i].bytes, &bits) &&
		    type_find_member(t, slices[i].len, &bits)) {
			diag_hint(&f->c->env->diags, d,
				  "for a string of %s: copyinstr((uintptr_t)%.*s.%s, %.*s.%s + 1)",
				  slices[i].of, n, text, slices[i].bytes, n, text, slices[i].len);
			return true;
		}
	return false;
}

static bool fmt_type_error(struct fmt *f, const struct conv_row *row, const struct img_conv *v,
			   struct range at, struct type *t, const struct node *arg)
{
	struct diag *d;

	if (row->accept == INT && check_operand_bad(f->c, D_PRINTF_ARG_TYPE, arg))
		return false;
	d = diag_error(&f->c->env->diags, D_PRINTF_ARG_TYPE, at,
		"conversion %u, '%%%s%s', needs %s, not '%s'", f->nth, v->size, row->conv,
		*v->size && row->accept == INT && type_is_int(type_base(t)) ?
			accept_sized(v->size) : accept_text(row->accept),
		TYPE_TEXT(f->c, t));

	if (row->accept == STRING && fmt_hint_slice(f, d, type_base(t), at))
		return false;
	if (strchr(v->flags, '@'))
		diag_hint(&f->c->env->diags, d, "%%@d prints the value of an aggregation");
	else if (row->accept == STRING && type_is_ptr(t) && type_is_struct(type_target(t)))
		diag_hint(&f->c->env->diags, d, "it points to members: print(p) shows them with "
			  "their names, p->NAME is one");
	else if (row->accept == STRING && type_is_ptr(t))
		diag_hint(&f->c->env->diags, d, "use stringof() for a kernel address, copyinstr() "
			  "for a user address");
	else if (row->accept == STRING && type_is_scalar(t) && !arg)
		diag_hint(&f->c->env->diags, d, "%%d prints an integer; a key that is a string is "
			  "made by the aggregation: @[copyinstr(ADDRESS)] = …");
	else if (row->accept == STRING && type_is_scalar(t))
		diag_hint(&f->c->env->diags, d, "%%d prints an integer; if it is the address of a "
			  "string of the program: copyinstr(%.*s)",
			  at.src ? (int)MIN(at.to - at.from, 60u) : 0,
			  at.src ? at.src->text + at.from : "");
	else if (row->accept == INT && type_is_strcompat(t) && !type_is_ptr(t))
		diag_hint(&f->c->env->diags, d,
			  arg && builtin_is(arg->row, BI_strstr)
				  ? "strstr() gives what follows; index(s, t) gives the place"
				  : "%%s prints a string");
	else if (row->accept == INT && type_is_ptr(t))
		diag_hint(&f->c->env->diags, d, "%%p prints a pointer");
	else if (row->accept == INT && *v->size)
		diag_hint(&f->c->env->diags, d, "size letters are not needed: '%%%s'", row->conv);
	check_operand_hint(f->c, d, arg);
	return false;
}

/* buf() whose size is an expression: the size is the precision of the next value. */
static void fmt_take_size(struct fmt *f, struct node *n)
{
	struct node *size;

	if (n->kind != N_CALL || !builtin_is(n->row, BI___buf))
		return;
	size = node_copy(f->c, n->list->next);
	size->next = NULL;
	f->convs[f->nconvs - 1].prec_arg = true;
	*f->tail = check_cast(f->c, size, &ty_long);
	f->tail = &(*f->tail)->next;
}

/* %s of an enumeration, or of a field whose values have names in the kernel: the names;
 * NULL: none. */
static struct type *fmt_names(struct fmt *f, const struct conv_row *row)
{
	struct type *t = f->arg ? type_base(f->arg->type) : NULL;

	if (!t || !row || row->accept != STRING || row->conv[0] != 's' || f->agg)
		return NULL;
	if (t->kind == T_ENUM)
		return t;
	return f->arg->kind == N_ARG && !f->arg->raw ? check_arg_names(f->c, f->arg->value) : NULL;
}

static void fmt_take(struct fmt *f, const struct conv_row *row)
{
	struct type *names = fmt_names(f, row);
	struct node *n = f->arg;

	f->arg = n->next;
	n->next = NULL;
	if (row && row->accept == RAW)
		fmt_take_size(f, n);
	if (row && (row->accept == STRING || row->accept == PORT) && !names &&
	    type_is_strcompat(n->type))
		n = check_to_string(f->c, n);
	else
		n = check_cast(f->c, n, n->type);
	n->names = names;
	*f->tail = n;
	f->tail = &n->next;
}

/* Type of the next value: an argument, or a key of the aggregation.  NULL: none left. */
static struct type *fmt_next(struct fmt *f, struct range *at)
{
	*at = f->node->at;
	if (f->agg)
		return f->key < f->agg->nkeys ? f->agg->keys[f->key] : NULL;
	if (!f->arg)
		return NULL;
	*at = f->arg->at;
	return f->arg->type;
}

static void fmt_advance(struct fmt *f, const struct conv_row *row)
{
	if (f->agg)
		f->key++;
	else
		fmt_take(f, row);
}

static bool fmt_star(struct fmt *f, const char *what)
{
	struct range at;
	struct type *t = fmt_next(f, &at);

	if (!t) {
		ERR(f->c, D_PRINTF_DYN_PROTO, at, "the %s '*' of conversion %u has no argument",
		    what, f->nth);
		return false;
	}
	if (!type_is_int(t)) {
		ERR(f->c, D_PRINTF_DYN_TYPE, at, "the %s '*' of conversion %u needs an integer, "
		    "not '%s'", what, f->nth, TYPE_TEXT(f->c, t));
		return false;
	}
	fmt_advance(f, NULL);
	return true;
}

static bool fmt_agg_value(struct fmt *f, const struct conv_row *row, const struct img_conv *v)
{
	if (!f->agg) {
		ERR(f->c, D_PRINTF_AGG_CONV, f->node->at,
		    "conversion %u has the flag '@', which is for printa()", f->nth);
		return false;
	}
	/* The value of an aggregation is a number of 64 bits. */
	return accepts(f->c, row, v, &ty_long) ||
	       fmt_type_error(f, row, v, f->node->at, &ty_long, NULL);
}

/* The consumer quotes values for sh (base/shellquote.c), except where '#' is among the flags: the
 * program asks for that, or the value is a text of the program itself. */
static bool fmt_shell(struct fmt *f, const struct conv_row *row, struct img_conv *v)
{
	const struct node *arg = f->arg;
	struct diags *ds = &f->c->env->diags;

	shell_read(&f->shell, v->text ? v->text : "");
	if (row->accept == INT || row->accept == FLOAT || row->accept == TIME)
		return true;
	if (arg->kind == N_STR && !strchr(v->flags, '#')) {
		v->flags = arena_printf(f->c->img->arena, "%s#", v->flags);
		shell_read(&f->shell, arg->str);
		return true;
	}
	if (strchr(v->flags, '#') || env_is_raw(f->c->env)) {
		diag_hint(ds, diag_warn(ds, DIAG_NONE, arg->at,
					"the shell runs what this text says: whoever chooses the "
					"text can run commands with the rights of dtx"),
			  "without '#' and the option raw it is one argument, in quotes");
		return true;
	}
	if (!f->shell.lost && !f->shell.escaped && !shell_reads_again(&f->shell))
		return true;
	diag_hint(ds, diag_error(ds, D_SYNTAX, f->node->at,
				 "a value cannot be quoted for the shell where conversion %u of "
				 "system() is", f->nth),
		  !f->shell.lost && !f->shell.escaped ?
		  "it would be read once more there, as a command: give it to the command as an "
		  "argument: sh -c 'echo \"$1\"' sh %%s" :
		  "move it out of `...`, ${...}, $((...)), a comment, a here-document, or from "
		  "behind a backslash, into a command of its own: x=%%s; ...");
	return false;
}

/* In the path of freopen() the text of a value is a name without a slash, except where the program
 * asks for all (as above). */
static void fmt_path(struct fmt *f, const struct conv_row *row, struct img_conv *v)
{
	const struct node *arg = f->arg;
	struct diags *ds = &f->c->env->diags;

	if (row->accept == INT || row->accept == FLOAT || row->accept == TIME)
		return;
	if (arg->kind == N_STR)
		v->flags = arena_printf(f->c->img->arena, "%s#", v->flags);
	else if (strchr(v->flags, '#'))
		diag_hint(ds, diag_warn(ds, DIAG_NONE, arg->at,
					"this text says which file is written: whoever chooses the "
					"text can write to any file with the rights of dtx"),
			  "without '#' it is a name, and one with a '/' is not opened");
}

static bool fmt_nothing(struct fmt *f, const struct conv_row *row, const struct img_conv *v,
			struct range at)
{
	struct diags *ds = &f->c->env->diags;
	struct diag *d = diag_error(ds, D_PRINTF_ARG_PROTO, at,
				    "conversion %u, '%%%s%s', has no %s", f->nth, v->size,
				    row->conv, f->agg ? "key" : "argument");

	if (f->agg)
		diag_hint(ds, d, "%%@d prints the value of an aggregation");
	else if (v->width_arg || v->prec_arg)
		diag_hint(ds, d, "each '*' takes an argument, before the value");
	return false;
}

static bool fmt_value(struct fmt *f, const struct conv_row *row, struct img_conv *v)
{
	bool shell = builtin_named(f->what, BI_system);
	struct range at;
	struct type *t;

	if (strchr(v->flags, '@'))
		return fmt_agg_value(f, row, v);
	t = fmt_next(f, &at);
	if (!t)
		return fmt_nothing(f, row, v, at);
	if (!accepts(f->c, row, v, t) && !fmt_names(f, row))
		return fmt_type_error(f, row, v, at, t, f->agg ? NULL : f->arg);
	if (shell && !fmt_shell(f, row, v))
		return false;
	if (f->arg && (strchr("di", *row->conv) || !fold_fits(f->c, t, f->arg->value)))
		fold_warn_kept(f->c, f->arg, t);
	if (builtin_named(f->what, BI_freopen))
		fmt_path(f, row, v);
	fmt_advance(f, row);
	return true;
}

static bool fmt_one(struct fmt *f)
{
	struct img_conv *v = fmt_push(f), copy;
	const struct conv_row *row = fmt_conversion(f, v);

	if (!row)
		return false;
	f->nth++;
	copy = *v;
	if (strchr(copy.flags, '@') && !f->agg)
		return fmt_agg_value(f, row, &copy);
	bool ok = (!copy.width_arg || fmt_star(f, "width")) &&
		  (!copy.prec_arg || fmt_star(f, "precision")) && fmt_value(f, row, &copy);

	f->convs[f->nth - 1].flags = copy.flags;         /* the array may have moved */
	return ok;
}

static bool fmt_run(struct fmt *f)
{
	while (*f->p) {
		if (*f->p != '%') {
			buf_putc(&f->text, *f->p++);
			continue;
		}
		f->p++;
		if (*f->p == '%')
			buf_putc(&f->text, *f->p++);
		else if (!fmt_one(f))
			return false;
	}
	if (f->text.len || !f->nconvs)
		fmt_push(f);
	if (!f->arg)
		return true;
	ERR(f->c, D_PRINTF_ARG_EXTRA, f->arg->at, "%s() has %u more argument%s than its format has "
	    "conversions", f->what, node_count(f->arg), f->arg->next ? "s" : "");
	return false;
}

bool check_format(struct comp *c, const char *what, struct node *fmt, struct node **args,
		  struct sym *agg, struct img_action *act)
{
	struct node *taken = NULL;
	struct fmt f = { .c = c, .what = what, .node = fmt, .p = fmt->str ? fmt->str : "",
			 .arg = *args, .agg = agg, .act = act };
	bool ok;

	f.tail = &taken;
	ok = fmt_run(&f);
	buf_free(&f.text);
	act->convs = f.convs;
	act->nconvs = f.nconvs;
	*args = taken;
	return ok;
}

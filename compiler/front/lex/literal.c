/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * literal.c - values of tokens: numbers, characters, strings, macro variables.
 */
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/opt.h>
#include <dtx/params.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

/* ---- integers --------------------------------------------------------------------- */

static struct node *int_node(struct lexer *lx, u64 value, struct type *type)
{
	struct node *n = node_new(lx->comp, N_INT, lex_range(lx));

	n->value = value;
	n->type = type;
	return n;
}

/* The first type of C's list that can hold the value. */
static struct type *int_type(u64 v, bool decimal, bool u, u32 l)
{
	if (l == 2)
		return u || (!decimal && v > INT64_MAX) ? &ty_ullong : &ty_llong;
	if (u)
		return !l && v <= UINT32_MAX ? &ty_uint : &ty_ulong;
	if (!l && v <= INT32_MAX)
		return &ty_int;
	if (!l && !decimal && v <= UINT32_MAX)
		return &ty_uint;
	if (v <= INT64_MAX)
		return &ty_long;
	return decimal ? &ty_llong : &ty_ulong;
}

struct number {
	u64 v;
	u32 base, l;
	bool u, overflow;
	char bad_digit;
	const char *suffix;      /* the text after the digits, if it is not a suffix; else NULL */
	u32 suffix_len;
};

static u32 digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

static void number_suffix(struct number *n, const char *s, const char *end)
{
	const char *start = s;

	if (s < end && (*s == 'u' || *s == 'U')) {
		n->u = true;
		s++;
	}
	for (; s < end && (*s == 'l' || *s == 'L') && n->l < 2; s++)
		n->l++;
	if (s < end) {
		n->suffix = start;
		n->suffix_len = end - start;
	}
}

static struct number number_read(const char *s, u32 len)
{
	struct number n = { .base = 10 };
	const char *end = s + len;

	if (len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
		n.base = 16;
		s += 2;
	} else if (s[0] == '0') {
		n.base = 8;
	}
	for (; s < end && digit_value(*s) < (n.base == 16 ? 16 : 10); s++) {
		u32 d = digit_value(*s);

		if (d >= n.base && !n.bad_digit)
			n.bad_digit = *s;
		n.overflow |= __builtin_mul_overflow(n.v, (u64)n.base, &n.v);
		n.overflow |= __builtin_add_overflow(n.v, (u64)d, &n.v);
	}
	number_suffix(&n, s, end);
	return n;
}

/* 10ms: nanoseconds per unit.  0: not such a suffix. */
static u64 time_suffix(const struct number *n)
{
	static const struct { const char *unit; u64 ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
		{ "m", 60000000000 }, { "h", 3600000000000 }, { "d", 86400000000000 },
	};

	for (u32 i = 0; n->base != 16 && i < ARRAY_SIZE(units); i++)
		if (strlen(units[i].unit) == n->suffix_len &&
		    !memcmp(units[i].unit, n->suffix, n->suffix_len))
			return units[i].ns;
	return 0;
}

static void number_bad_suffix(struct lexer *lx, const struct number *n)
{
	struct diag *d = lex_error(lx, D_SYNTAX, "'%.*s' is not a digit or a suffix of a number",
				   (int)MIN(n->suffix_len, 32u), n->suffix);

	if (d && foreign_in_d(lx->comp->env->arena, lx->src, lx->from))
		foreign_tell(lx->comp, d, lx->src, lx->from, "write the digits alone");
	else if (d)
		diag_hint(&lx->comp->env->diags, d,
			  "suffixes are u, l, ll, and for times ns, us, ms, s, m, h, d");
}

/* Decimal numbers without u are signed, whatever their size. */
static void number_unsigned(struct lexer *lx)
{
	struct diag *d = lex_error(lx, D_INT_OFLOW, "no signed integer type holds this number");

	if (d)
		diag_hint(&lx->comp->env->diags, d, "%s", lx->prev == '-' ?
			  "the least signed number is written -9223372036854775807 - 1" :
			  "append u, or write it in hexadecimal");
}

int lex_int(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len)
{
	struct number n = number_read(text, len);
	u64 ns = n.suffix ? time_suffix(&n) : 1;

	if (!ns) {
		number_bad_suffix(lx, &n);
	} else if (n.suffix) {
		n.overflow |= __builtin_mul_overflow(n.v, ns, &n.v) || n.v > INT64_MAX;
		n.base = 10;
		n.u = false;
		n.bad_digit = n.l = 0;
	}
	if (n.bad_digit)
		lex_error(lx, D_INT_DIGIT, "'%c' is not a digit of an octal number", n.bad_digit);
	else if (n.overflow)
		lex_error(lx, D_INT_OFLOW, "this number does not fit in 64 bits");
	else if (n.base == 10 && !n.u && n.v > INT64_MAX)
		number_unsigned(lx);
	val->TOK_INT = int_node(lx, n.v, int_type(n.v, n.base == 10, n.u, n.l));
	return TOK_INT;
}

int lex_float(struct lexer *lx, DTX_YYSTYPE *val)
{
	struct diag *d = lex_error(lx, D_SYNTAX, "D has no floating-point constants");

	if (d)
		diag_hint(&lx->comp->env->diags, d, "use integers, for example thousandths");
	val->TOK_INT = int_node(lx, 1, &ty_int);         /* 0 would be a second mistake in 5/2.0 */
	return TOK_INT;
}

/* ---- strings and characters ----------------------------------------------------------- */

static int octal_escape(const char **s, const char *end)
{
	int v = 0;

	for (u32 i = 0; i < 3 && *s < end && **s >= '0' && **s <= '7'; i++)
		v = v * 8 + *(*s)++ - '0';
	return v & 0xff;
}

static int hex_escape(const char **s, const char *end)
{
	u32 v = 0;

	for (; *s < end && isxdigit((unsigned char)**s); (*s)++)
		v = v * 16 + digit_value(**s);
	return v & 0xff;
}

/* Escapes expanded; the result has at most len bytes.  out gets a NUL. */
static u32 unescape(char *out, const char *s, u32 len)
{
	static const char names[] = "abfnrtv\"\\", bytes[] = "\a\b\f\n\r\t\v\"\\";
	const char *end = s + len, *known;
	u32 n = 0;

	while (s < end) {
		if (*s != '\\' || s + 1 == end) {
			out[n++] = *s++;
			continue;
		}
		s++;
		known = memchr(names, *s, sizeof(names) - 1);
		if (known) {
			out[n++] = bytes[known - names];
			s++;
		} else if (*s >= '0' && *s <= '7') {
			out[n++] = octal_escape(&s, end);
		} else if (*s == 'x' && s + 1 < end && isxdigit((unsigned char)s[1])) {
			s++;
			out[n++] = hex_escape(&s, end);
		} else {
			out[n++] = '\\';
			out[n++] = *s++;
		}
	}
	out[n] = 0;
	return n;
}

static int string_token(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len)
{
	struct node *n = node_new(lx->comp, N_STR, lex_range(lx));
	char *out = arena_alloc(lx->comp->arena, len + 1);

	unescape(out, text, len);
	n->str = out;
	n->len = strlen(out);
	n->type = &ty_string;
	val->TOK_STRING = n;
	return TOK_STRING;
}

int lex_string(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len, bool closed)
{
	struct diag *d;

	if (!closed) {
		lx->quiet = true;
		d = lex_error(lx, D_STR_NL, "this string does not end on its line");
		if (d)
			diag_hint(&lx->comp->env->diags, d,
				  "close it with '\"'; a line break in it is written \\n");
	}
	return string_token(lx, val, text + 1, len - 1 - closed);
}

int lex_char(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len, bool closed)
{
	char bytes[40] = "";
	u64 v = 0;
	u32 n = 0, raw = len - 1 - closed;

	if (raw < sizeof(bytes))
		n = unescape(bytes, text + 1, raw);
	/* \' is an escape only here: in a string it stays two characters. */
	if (n == 2 && bytes[0] == '\\' && bytes[1] == '\'')
		bytes[0] = bytes[--n];
	lx->quiet |= !closed;
	if (!closed)
		lex_error(lx, D_CHR_NL, "this character constant does not end on its line");
	else if (!raw)
		lex_error(lx, D_CHR_NULL, "empty character constant");
	else if (!n || n > 8)
		lex_hint(lx, lex_error(lx, D_CHR_OFLOW, "a character constant has at most 8 bytes"),
			 "strings take double quotes");
	for (u32 i = 0; i < n && n <= 8; i++)
		v = v << 8 | (unsigned char)bytes[i];
	val->TOK_INT = int_node(lx, v, int_type(v, false, false, 0));
	return TOK_INT;
}

/* ---- macro variables -------------------------------------------------------------------- */

/* Numbers of this run of dtx; an image would have those of the run that made it. */
static bool macro_not_kept(struct lexer *lx, const char *name, u32 len)
{
	const struct compile_opts *o = lx->comp->opts;
	bool target = len == 6 && !memcmp(name, "target", len);
	struct diag *d = NULL;

	if (o && o->keep && lx->comp->front->in_lib != LIB_OWN && *name != '_')
		d = lex_error(lx, DIAG_NONE, "$%.*s is different in each run of dtx: an image "
					     "cannot contain it", (int)len, name);
	if (d && target)
		diag_hint(&lx->comp->env->diags, d, "select the process by what it has on each "
						    "machine: /execname == \"nginx\"/");
	else if (d)
		diag_hint(&lx->comp->env->diags, d, "write pid, ppid, uid or gid without the $; "
						    "other numbers can be operands: $1");
	return d;
}

/* `refused`: it has no value, which is told. */
static bool named_macro(struct lexer *lx, const char *name, u32 len, s64 *value, bool *refused)
{
	const struct { const char *name; s64 value; } rows[] = {
		{ "pid", getpid() }, { "ppid", getppid() }, { "pgid", getpgid(0) },
		{ "sid", getsid(0) }, { "uid", getuid() }, { "euid", geteuid() },
		{ "gid", getgid() }, { "egid", getegid() },
		{ "target", lx->comp->env->target_pid },
		{ "__pidns", lx->comp->env->pidns },     /* for the library; 0: the first one */
		{ "__hz", lx->comp->env->hz },           /* as well */
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strlen(rows[i].name) == len && !memcmp(rows[i].name, name, len)) {
			*value = rows[i].value;
			if (*name != '_')
				file_note_passing();
			*refused = macro_not_kept(lx, name, len);
			return true;
		}
	}
	return false;
}

/* One error for a statement: it shows the whole of it. */
static void macro_unknown(struct lexer *lx, const char *name, u32 len)
{
	struct diag *d = NULL;
	u32 from;

	if (lx->from >= lx->told)
		d = lex_error(lx, len ? D_MACRO_UNDEF : D_SYNTAX, "unknown macro variable '$%.*s'",
			      (int)MIN(len, 64u), name);
	if (d && !len)
		diag_hint(&lx->comp->env->diags, d, "operands are $1, $2 …; there is no count of "
						    "them: option "
			  "defaultargs makes missing ones 0, or \"\" as $$1");
	else if (d) {
		foreign_around(lx->src, lx->from, &from, &lx->told);
		foreign_tell(lx->comp, d, lx->src, lx->from, arena_printf(lx->comp->env->arena,
			     "there are $1, $2 … for operands, $target, $pid, $ppid, $pgid, $sid, "
			     "$uid, $euid, $gid and $egid; variables of a clause are written "
			     "this->%.*s", (int)MIN(len, 64u), name));
	}
}

/* Operand `digits`; NULL: missing (reported unless defaults are accepted). */
static const char *macro_arg(struct lexer *lx, const char *digits, u32 len, bool dflt)
{
	struct dtx_env *env = lx->comp->env;
	struct number n = number_read(digits, len);
	struct diag *d;

	if (len > 1 && digits[0] == '0')
		n.v = strtoull(digits, NULL, 10);
	if (n.overflow || n.v > INT32_MAX) {
		lex_error(lx, D_MACRO_OFLOW, "macro argument $%.*s: the number is too large",
			  (int)MIN(len, 32u), digits);
		return NULL;
	}
	if (env->nargs > 1 && n.v == (u64)env->nargs - 1)
		lx->last_arg_used = true;
	if (!n.v && lx->prog->src->is_file)      /* a script is its own $0 */
		return lx->prog->src->name;
	if (n.v < (u64)env->nargs)
		return env->args[n.v];
	if (dflt && opt_num(env, OPT_defaultargs))
		return NULL;
	d = lex_error(lx, D_MACRO_UNDEF, "macro argument $%d is not defined", (int)n.v);
	if (d)
		diag_hint(&env->diags, d, "give %d operand%s after the program, or use option "
			  "defaultargs to make missing ones 0", (int)n.v, n.v == 1 ? "" : "s");
	return NULL;
}

static bool is_number(const char *s)
{
	struct number n;

	s += *s == '+' || *s == '-';
	if (!isdigit((unsigned char)*s))
		return false;
	n = number_read(s, strlen(s));
	return !n.suffix && !n.bad_digit;
}

static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_' && *s != '`')
		return false;
	return !s[name_span(s, "`")];
}

/* $N by its text: number, name or type, else string. */
static int macro_typed(struct lexer *lx, DTX_YYSTYPE *val, const char *s)
{
	size_t len = strlen(s);
	int token;

	if (is_number(s)) {
		token = lex_int(lx, val, s + (*s == '+' || *s == '-'),
				len - (*s == '+' || *s == '-'));
		if (*s == '-')
			val->TOK_INT->value = -val->TOK_INT->value;
		return token;
	}
	if (is_name(s))
		return lex_word(lx, val, s, len);
	if (len >= 2 && s[0] == '"' && s[len - 1] == '"')
		return string_token(lx, val, s + 1, len - 2);
	return string_token(lx, val, s, len);
}

/* $NAME of an option that the program declares; `as_string`: $$NAME. */
static int macro_param(struct lexer *lx, DTX_YYSTYPE *val, const struct dtx_param *p,
		       bool as_string)
{
	const char *text = as_string ? param_value(lx->comp, p) : p->value;
	s64 n = 0;

	if (as_string || !strcmp(p->type, "string"))
		return string_token(lx, val, text, strlen(text));
	param_number(p, text, &n);
	val->TOK_INT = int_node(lx, n, &ty_long);
	return TOK_INT;
}

bool lex_macro_is_text(struct lexer *lx, const char *text, u32 len)
{
	const struct dtx_env *env = lx->comp->env;
	const char *name = text + 1;
	const struct dtx_param *param;
	u32 n = len - 1, used, i;

	param = param_find(lx->comp, name, n, &used);
	if (param && used == n)
		return !strcmp(param->type, "string");
	i = (u32)strtoul(name, NULL, 10);
	return n && strspn(name, "0123456789") >= n && i && i < (u32)env->nargs &&
	       !is_number(env->args[i]) && !is_name(env->args[i]);
}

/* The variable that has it where an image runs, or NULL: its value is asked for now. */
static const char *macro_later(const struct lexer *lx, const char *name, u32 len)
{
	const struct compile_opts *o = lx->comp->opts;

	if (!o || !o->keep)
		return NULL;
	if (len == 3 && !memcmp(name, "pid", len))
		return "__own_pid";
	return lx->comp->env->target_later && len == 6 && !memcmp(name, "target", len)
		       ? "__target_pid" : NULL;
}

int lex_macro(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len)
{
	bool as_string = len > 1 && text[1] == '$';
	const char *name = text + 1 + as_string, *arg;
	u32 n = len - 1 - as_string;
	bool numbered = n && strspn(name, "0123456789") >= n, refused;
	const struct dtx_param *param;
	s64 value = 0;
	u32 used;

	param = param_find(lx->comp, name, n, &used);
	if (param && used == n)
		return macro_param(lx, val, param, as_string);
	if (numbered) {
		arg = macro_arg(lx, name, n, true);
		if (as_string)
			return string_token(lx, val, arg ? arg : "", arg ? strlen(arg) : 0);
		if (arg)
			return macro_typed(lx, val, arg);
	} else if (!as_string && (arg = macro_later(lx, name, n))) {
		val->TOK_IDENT = arg;
		return TOK_IDENT;
	} else if (!named_macro(lx, name, n, &value, &refused)) {
		macro_unknown(lx, name, n);
	}
	if (as_string) {
		arg = arena_printf(lx->comp->arena, "%lld", (long long)value);
		return string_token(lx, val, arg, strlen(arg));
	}
	val->TOK_INT = int_node(lx, value, &ty_int);
	return TOK_INT;
}

/* ---- macros in probe descriptions -------------------------------------------------------- */

/* An operand or an option may name the target itself: 'pid$target:libc:malloc:entry'. */
static void spec_insert(struct lexer *lx, struct buf *out, const char *text)
{
	const char *target;

	for (; (target = strstr(text, "$target")); text = target + strlen("$target")) {
		lx->comp->img->no_target |= !lx->comp->env->target_pid;
		buf_add(out, text, target - text);
		buf_printf(out, "%d", lx->comp->env->target_pid);
	}
	buf_puts(out, text);
}

/* One field: text before the '$', the value, and after a number the rest. */
static bool spec_field(struct lexer *lx, struct buf *out, const char *s, u32 len)
{
	const char *dollar = memchr(s, '$', len), *name, *end = s + len, *arg;
	const struct dtx_param *param;
	bool refused = false;
	u32 n = 0, used;
	s64 value;

	if (!dollar) {
		buf_add(out, s, len);
		return true;
	}
	buf_add(out, s, dollar - s);
	name = dollar + 1;
	if (name < end && *name == '$')
		name++;
	while (name + n < end && isdigit((unsigned char)name[n]))
		n++;
	if (n) {
		arg = macro_arg(lx, name, n, false);
		spec_insert(lx, out, arg ? arg : "");
		buf_add(out, name + n, end - name - n);
		return arg;
	}
	param = param_find(lx->comp, name, end - name, &used);
	if (param) {
		spec_insert(lx, out, param_value(lx->comp, param));
		buf_add(out, name + used, end - name - used);
		return true;
	}
	if (!named_macro(lx, name, end - name, &value, &refused)) {
		macro_unknown(lx, name, end - name);
		return false;
	}
	if (refused)
		return false;
	lx->comp->img->no_target |= !value && end - name == 6 && !memcmp(name, "target", 6);
	buf_printf(out, "%lld", (long long)value);
	return true;
}

const char *lex_spec_macros(struct lexer *lx, const char *text, u32 len)
{
	struct buf out = { 0 };
	const char *s = text, *end = text + len, *colon, *result;
	bool ok = true;

	if (!memchr(text, '$', len))
		return arena_strndup(lx->comp->arena, text, len);
	while (s < end) {
		colon = memchr(s, ':', end - s);
		ok &= spec_field(lx, &out, s, (colon ? colon : end) - s);
		if (colon)
			buf_putc(&out, ':');
		s = colon ? colon + 1 : end;
	}
	result = ok ? arena_strndup(lx->comp->arena, out.data ? out.data : "", out.len) : NULL;
	buf_free(&out);
	return result;
}

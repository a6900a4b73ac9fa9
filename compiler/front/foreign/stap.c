/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stap.c - a program of SystemTap given to dtx: what its probes are in D, and the whole program if
 * its statements are the same there.
 */
#include <ctype.h>

#include <dtx/tag.h>

#include "compiler/front/foreign/foreign.h"
#include "compiler/front/parse.h"

/* ---- probes ------------------------------------------------------------------------ */

/* How a probe point begins, up to its first string or number, and what it is in D: %s is that. */
static const struct { const char *point, *entry, *ret; } points[] = {
	{ "begin", "BEGIN", NULL },
	{ "end", "END", NULL },
	{ "error", "ERROR", NULL },
	{ "never", NULL, NULL },
	{ "timer.s(", "tick-%ss", NULL },
	{ "timer.sec(", "tick-%ss", NULL },
	{ "timer.ms(", "tick-%sms", NULL },
	{ "timer.msec(", "tick-%sms", NULL },
	{ "timer.us(", "tick-%sus", NULL },
	{ "timer.hz(", "tick-%shz", NULL },
	{ "timer.profile", "profile-97", NULL },
	{ "kernel.function(", "fbt::%s:entry", "fbt::%s:return" },
	{ "kernel.trace(", "tracepoint:::%s", NULL },
	{ "module(", "fbt:%s::entry", "fbt:%s::return" },
	{ "process(", "uprobe:%s::entry", "uprobe:%s::return" },
	{ "syscall.", "syscall::%s:entry", "syscall::%s:return" },
	{ "nd_syscall.", "syscall::%s:entry", "syscall::%s:return" },
};

/* The text in quotes or digits at `at`, or a word; *to: after it. */
static const char *operand(struct arena *a, const char *text, u32 at, u32 end, u32 *to)
{
	u32 from = at + (at < end && text[at] == '"');

	*to = from;
	while (*to < end && text[*to] != '"' && text[*to] != ')' && !isspace((u8)text[*to]) &&
	       text[*to] != '{' && text[*to] != ',' && (from > at || text[*to] != '.'))
		++*to;
	return arena_strndup(a, text + from, *to - from);
}

static bool says_return(const char *text, u32 at, u32 end)
{
	const char *dot = memmem(text + at, end - at, ".return", 7);

	return dot != NULL;
}

/* ".function("f")", ".mark("m")" after process("PATH") and module("M"). */
static const char *inside(struct arena *a, const char *text, u32 at, u32 end, const char *in,
			  bool process)
{
	const char *f = memmem(text + at, end - at, ".function(", 10);
	const char *m = memmem(text + at, end - at, ".mark(", 6);
	const char *side = says_return(text, at, end) ? "return" : "entry";
	u32 to;

	if (f)
		return arena_printf(a, "%s:%s:%s:%s", process ? "uprobe" : "fbt", in,
				    operand(a, text, f + 10 - text, end, &to), side);
	if (m && process)
		return arena_printf(a, "usdt:%s:*:%s", in,
				    operand(a, text, m + 6 - text, end, &to));
	return NULL;
}

/* The point in [at, end) in D; NULL: it is not known. */
static const char *point_in_d(struct arena *a, const char *text, u32 at, u32 end)
{
	for (u32 i = 0; i < ARRAY_SIZE(points); i++) {
		const char *p = points[i].point, *say = points[i].entry;
		u32 n = strlen(p), to;

		if (end - at < n || memcmp(text + at, p, n) ||
		    (name_char(p[n - 1]) && at + n < end && name_char(text[at + n])))
			continue;
		if (!say || !strchr(say, '%'))
			return say;
		const char *what = operand(a, text, at + n, end, &to);

		if (!strcmp(p, "process(") || !strcmp(p, "module("))
			return inside(a, text, to, end, what, *p == 'p');
		if (points[i].ret && says_return(text, to, end))
			say = points[i].ret;
		const char *rest = strchr(say, '%') + 2;

		return arena_printf(a, "%.*s%s%s", (int)(strchr(say, '%') - say), say, what, rest);
	}
	return NULL;
}

/* ---- statements -------------------------------------------------------------------- */

/* Functions of SystemTap that are variables or other functions of D; NULL: the brackets stay. */
static const struct { const char *name, *say; } functions[] = {
	{ "execname()", "execname" }, { "pid()", "pid" }, { "tid()", "tid" },
	{ "ppid()", "ppid" }, { "uid()", "uid" }, { "gid()", "gid" }, { "cpu()", "cpu" },
	{ "exit()", "exit(0)" }, { "target()", "$target" }, { "probefunc()", "probefunc" },
	{ "gettimeofday_ns()", "walltimestamp" }, { "gettimeofday_us()", "(walltimestamp / 1000)" },
	{ "gettimeofday_ms()", "(walltimestamp / 1000000)" },
	{ "gettimeofday_s()", "(walltimestamp / 1000000000)" },
	{ "print_backtrace()", "stack()" }, { "print_ubacktrace()", "ustack()" },
	{ "printf(", "printf(" }, { "user_string(", "copyinstr(" },
	{ "kernel_string(", "stringof(" },
};

static bool say_function(struct buf *b, const char *text, u32 *at, u32 end)
{
	for (u32 i = 0; i < ARRAY_SIZE(functions); i++) {
		u32 n = strlen(functions[i].name);

		if (end - *at < n || memcmp(text + *at, functions[i].name, n))
			continue;
		buf_puts(b, functions[i].say);
		*at += n;
		return true;
	}
	return false;
}

/* Statements need no ';' there. */
static void end_statement(struct buf *b, u32 depth)
{
	size_t n = b->len;

	while (n && isspace((u8)b->data[n - 1]))
		n--;
	if (!n || depth || (b->data[n - 1] != ')' && !isalnum((u8)b->data[n - 1])))
		return;
	b->len = n;
	buf_puts(b, "; ");
}

/* "$x" is the parameter, "$return" the result. */
static u32 say_parameter(struct buf *b, const char *text, u32 at, u32 end)
{
	u32 word = foreign_word_end(text, at + 1, end);

	if (word == at + 1 || isdigit((u8)text[at + 1]))
		return at;
	if (foreign_is(text + at + 1, word - at - 1, "return"))
		buf_puts(b, "arg1");
	else
		buf_add(b, text + at + 1, word - at - 1);
	return word;
}

/* Calls, parameters, numbers, text and operators; false: this is not said. */
static bool say_body(struct buf *b, const char *text, u32 at, u32 end)
{
	u32 depth = 0;

	while (at < end) {
		u32 next = foreign_quoted(text, at, end);

		if (text[at] == '$')
			next = say_parameter(b, text, at, end);
		else if (next > at || isdigit((u8)text[at]))
			buf_add(b, text + at, (next = MAX(next, at + 1)) - at);
		else if (isalpha((u8)text[at]) || text[at] == '_')
			end_statement(b, depth);
		else if (!strchr("{}@.[]\"", text[at]))
			buf_putc(b, text[next++]);
		if (next == at && !say_function(b, text, &next, end))
			return false;
		for (u32 i = at; i < next && !foreign_quoted(text, at, end) ; i++)
			depth += (text[i] == '(') - (text[i] == ')');
		at = next;
	}
	return true;
}

/* "printf(…)" as the last statement needs no ';' in either language. */
static bool say_clause(struct arena *a, struct buf *b, const char *text, u32 at, u32 end)
{
	struct buf body = { 0 };
	bool said = say_body(&body, text, at, end);
	char *plain = arena_strdup(a, body.data ? body.data : "");
	size_t n = strlen(plain);

	buf_free(&body);
	while (n && isspace((u8)plain[n - 1]))
		n--;
	plain += strspn(plain, " \t\n");
	n = strlen(plain) < n ? strlen(plain) : n;
	while (n && isspace((u8)plain[n - 1]))
		n--;
	buf_printf(b, " { %.*s%s }", (int)n, plain, n && plain[n - 1] != ';' ? ";" : "");
	return said && n;
}

/* ---- the program --------------------------------------------------------------------- */

/* "probe POINT[, POINT] { … }" from `at` on; the position after it, or `at` if it is none.  *whole:
 * its statements could be said. */
static u32 say_probe(struct arena *a, struct buf *b, const struct source *src, u32 at, bool *whole,
		     bool *known)
{
	const char *text = src->text;
	u32 open = at, close, from = at + 5;

	while (open < src->len && text[open] != '{')
		open = MAX(foreign_quoted(text, open, src->len), open + 1);
	close = foreign_closed(text, open, src->len);
	if (close == open)
		return at;
	for (u32 n = 0; from < open; n++) {
		u32 to = from = foreign_blanks(text, from, open);
		const char *said;

		while (to < open && text[to] != ',')
			to = MAX(foreign_quoted(text, to, open), to + 1);
		said = point_in_d(a, text, from, to);
		*known &= said != NULL;
		buf_printf(b, "%s%s", n ? ", " : b->len ? " " : "", said ? said : "");
		from = to + 1;
	}
	*whole &= say_clause(a, b, text, open + 1, close - 1);
	return close;
}

/* Where the program goes on after "global x, y = 1; global z". */
static u32 after_globals(const struct source *src, u32 at)
{
	for (;;) {
		u32 end = foreign_word_end(src->text, at, src->len);

		if (!foreign_is(src->text + at, end - at, "global"))
			return at;
		while (end < src->len && !strchr(";\n", src->text[end]))
			end++;
		at = foreign_blanks(src->text, end + (end < src->len), src->len);
	}
}

bool foreign_stap(struct comp *c, const struct source *src)
{
	u32 first = foreign_blanks(src->text, 0, src->len), word, next;
	u32 at = after_globals(src, first);
	struct diags *ds = &c->env->diags;
	struct buf b = { 0 };
	bool whole = at == first, known = true;
	struct diag *d;

	word = foreign_word_end(src->text, at, src->len);
	next = foreign_blanks(src->text, word, src->len);
	if (!foreign_is(src->text + at, word - at, "probe") || next == word ||
	    next == src->len || !isalpha((u8)src->text[next]))
		return false;
	while (at < src->len && known) {
		u32 after = say_probe(c->env->arena, &b, src, at, &whole, &known);

		if (after == at)
			break;
		at = foreign_blanks(src->text, after, src->len);
	}
	d = diag_error(ds, D_SYNTAX, (struct range){ src, first, word },
		       "this is a probe of SystemTap, not of D");
	if (known && whole && at == src->len && foreign_accepted(c, src, b.data))
		diag_hint(ds, d, "in D this is: %s", b.data);
	else if (known && b.len)
		diag_hint(ds, d, "the probe is %.*s here, and what it does stands in { }: " TOOL
			  " -lv lists what it has; docs/guide/from-systemtap.md has more",
			  (int)strcspn(b.data, " "), b.data);
	else
		diag_hint(ds, d, "functions of the kernel are fbt::NAME:entry and "
			  "fbt::NAME:return; docs/guide/from-systemtap.md has more");
	ds->enough = true;
	buf_free(&b);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * format.c - dtx --fmt: a program in the style of the examples.
 *
 * The text is cut into tokens, not parsed, so a program with mistakes is formatted as well.  No
 * token is added, lost or moved; only the space between tokens changes: each description,
 * predicate, brace and statement has a line of its own; a line break inside of a statement stays.
 * A statement on the line after if (...), else or a loop's head is one level further in.
 */
#include <ctype.h>
#include <string.h>

#include "compiler/edit/edit.h"

enum token {
	TK_END, TK_WORD, TK_PUNCT, TK_STRING, TK_COMMENT, TK_LINE_COMMENT, TK_CONTROL, TK_PROBE
};

struct tok {
	enum token kind;
	const char *at;
	size_t len;
	u32 newlines;            /* before it */
	bool space;              /* blanks or newlines are before it */
};

#define BODIES 32                /* nested braces and ifs whose lines are told apart */

/* The statements between two braces. */
struct body {
	u32 lone;                /* levels at which the statement is, after heads without braces */
	u32 nifs;
	u8 ifs[BODIES];          /* levels of the ifs that may still have an else */
	bool headed;             /* the statement of a head is next */
};

struct format {
	const char *p, *end;
	struct buf out;
	struct tok last;
	u32 depth;               /* of braces */
	struct body bodies[BODIES];      /* by depth */
	u32 parens;
	u32 own;                 /* depth of braces at which a clause's body is; 0: a declaration */
	bool predicate;
	bool probes;             /* descriptions of a clause are being written */
	bool begun;              /* the line has a token */
	bool within;             /* the statement has a token */
	bool head;               /* the parentheses are those of if, while, for */
	bool gap;                /* an empty line is due before the next token */
};

/* ---- tokens --------------------------------------------------------------------------------- */

static size_t quoted_len(const char *p, const char *end)
{
	const char *q = p + 1;

	while (q < end && *q != *p && *q != '\n')
		q += *q == '\\' && q + 1 < end && q[1] != '\n' ? 2 : 1;
	return q < end && *q == *p ? (size_t)(q + 1 - p) : (size_t)(MIN(q, end) - p);
}

static size_t line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', end - p);
	size_t n = nl ? nl - p : end - p;

	while (n && isspace((unsigned char)p[n - 1]))
		n--;
	return n;
}

static size_t punct_len(const char *p, const char *end)
{
	static const char *const ops[] = {
		"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "=~",
		"!~", "&&", "||", "^^", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "?:",
	};

	for (u32 i = 0; i < ARRAY_SIZE(ops); i++)
		if ((size_t)(end - p) >= strlen(ops[i]) && !memcmp(p, ops[i], strlen(ops[i])))
			return strlen(ops[i]);
	return 1;
}

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || strchr("_`@$", c) || (c & 0x80);
}

/* A probe description, as one word: outside of bodies, up to a blank or what ends it. */
static size_t probe_len(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && !strchr(" \t\r\n\f\v,{};", *q) && (*q != '/' || cursor_in_path(p, q)))
		q += *q == '"' ? quoted_len(q, end) : 1;
	return MIN(q, end) - p;
}

/* Does a clause begin here?  Each piece of its head, between commas, is one word. */
static bool clause_begins(const char *p, const char *end)
{
	bool word = false, blank = false;

	for (; p < end; p++) {
		if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			const char *close = memmem(p + 2, end - p - 2, "*/", 2);

			if (!close)
				return word;
			p = close + 1;
		} else if (*p == '"') {
			p += quoted_len(p, end) - 1;
		} else if (isspace((unsigned char)*p)) {
			blank = true;
		} else if (*p == ',') {
			word = blank = false;
		} else if (*p == '{' || *p == '/' || *p == ';') {
			return word;
		} else if (strchr("=(<", *p) || (word && blank)) {
			return false;
		} else {
			word = true;
			blank = false;
		}
	}
	return word;
}

static struct tok next_token(struct format *f)
{
	struct tok t = { TK_END, f->p, 0, 0, false };

	for (; f->p < f->end && isspace((unsigned char)*f->p); f->p++) {
		t.newlines += *f->p == '\n';
		t.space = true;
	}
	const char *p = t.at = f->p;
	size_t left = f->end - p;
	if (!left)
		return t;
	if (*p == '#' && (t.newlines || !f->out.len)) {
		t.kind = TK_CONTROL;
		t.len = line_len(p, f->end);
	} else if (left > 1 && p[0] == '/' && p[1] == '*') {
		const char *close = memmem(p + 2, left - 2, "*/", 2);

		t.kind = TK_COMMENT;
		t.len = close ? (size_t)(close + 2 - p) : left;
		while (isspace((unsigned char)p[t.len - 1]))
			t.len--;
	} else if (left > 1 && p[0] == '/' && p[1] == '/') {
		t.kind = TK_LINE_COMMENT;
		t.len = line_len(p, f->end);
	} else if (*p == '"' || *p == '\'') {
		t.kind = TK_STRING;
		t.len = quoted_len(p, f->end);
	} else if (!f->depth && !f->predicate && !strchr("/{},;", *p) &&
		   (f->probes || (!f->within && clause_begins(p, f->end)))) {
		t.kind = TK_PROBE;
		t.len = MAX(probe_len(p, f->end), (size_t)1);
	} else if (word_char(*p)) {
		t.kind = TK_WORD;
		while (t.len < left && word_char(p[t.len]))
			t.len++;
	} else {
		t.kind = TK_PUNCT;
		t.len = punct_len(p, f->end);
	}
	f->p += t.len;
	return t;
}

static bool is(const struct tok *t, const char *text)
{
	size_t n = strlen(text);

	return t->kind != TK_STRING && t->len == n && !memcmp(t->at, text, n);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void end_line(struct format *f)
{
	if (f->begun)
		buf_putc(&f->out, '\n');
	f->begun = false;
}

static struct body *body_of(struct format *f)
{
	return &f->bodies[MIN(f->depth, BODIES - 1u)];
}

/* Puts a token at the beginning of a line; `more`: it continues a statement. */
static void begin_line(struct format *f, bool more)
{
	end_line(f);
	if (f->gap && f->out.len)
		buf_putc(&f->out, '\n');
	f->gap = false;
	for (u32 i = 0; i < f->depth; i++)
		buf_pad(&f->out, '\t', 1 + (int)(i + 1 < BODIES ? f->bodies[i + 1].lone : 0));
	if (more)
		buf_puts(&f->out, "    ");
	f->begun = true;
}

/* Operators that always have two operands. */
static bool is_binary(const struct tok *t)
{
	static const char *const ops[] = {
		"=", "==", "!=", "<=", ">=", "&&", "||", "^^", "=~", "!~", "+=", "-=", "*=", "/=",
		"%=", "&=", "|=", "^=", "<<=", ">>=", "<<", ">>",
	};

	for (u32 i = 0; t->kind == TK_PUNCT && i < ARRAY_SIZE(ops); i++)
		if (is(t, ops[i]))
			return true;
	return false;
}

static bool wants_space(const struct format *f, const struct tok *t)
{
	const struct tok *l = &f->last;

	if (is(t, ",") || is(t, ";") || is(t, ")") || is(t, "]") || is(l, "(") || is(l, "["))
		return t->kind == TK_COMMENT;
	if (is(l, ",") || is(l, ";") || is_binary(t) || is_binary(l))
		return true;
	if (t->kind == TK_COMMENT || t->kind == TK_LINE_COMMENT || l->kind == TK_COMMENT)
		return true;
	if (is(t, "{") || is(l, "}"))
		return true;
	if (is(t, "(") && (is(l, "if") || is(l, "while") || is(l, "for")))
		return true;
	return t->space;
}

static void put(struct format *f, const struct tok *t, bool more)
{
	/* A # at the beginning of a line would be a control line. */
	if (!f->begun && *t->at == '#' && t->kind != TK_CONTROL && f->out.len && !f->gap) {
		f->out.data[--f->out.len] = '\0';
		f->begun = true;
		buf_putc(&f->out, ' ');
	} else if (!f->begun)
		begin_line(f, more);
	else if (wants_space(f, t))
		buf_putc(&f->out, ' ');
	buf_add(&f->out, t->at, t->len);
	f->last = *t;
}

/* ---- parts of a program --------------------------------------------------------------------- */

static void put_comment(struct format *f, const struct tok *t)
{
	bool alone = t->newlines || !f->out.len;
	bool inner = body_of(f)->headed && alone;        /* with the statement that follows */
	bool within = f->within && !inner;

	if (alone)
		end_line(f);
	if (alone && t->newlines > 1 && f->out.len && !within)
		f->gap = true;
	/* What follows a statement on its line stays there, though that line has ended. */
	if (!alone && !f->begun && f->out.len && f->out.data[f->out.len - 1] == '\n') {
		f->out.data[--f->out.len] = '\0';
		f->begun = true;
	}
	body_of(f)->lone += inner;
	put(f, t, within);
	body_of(f)->lone -= inner;
	if (t->kind == TK_LINE_COMMENT || alone || !within)
		end_line(f);
}

/* A slash ends a predicate if a body, or nothing, follows. */
static bool predicate_ends(const struct format *f)
{
	const char *p = f->p;

	for (;;) {
		while (p < f->end && isspace((unsigned char)*p))
			p++;
		const char *close = f->end - p > 3 && p[0] == '/' && p[1] == '*'
					    ? memmem(p + 2, f->end - p - 2, "*/", 2) : NULL;
		if (!close)
			return p == f->end || *p == '{' || *p == ';';
		p = close + 2;
	}
}

/* Outside of braces: descriptions, predicates, declarations. */
static void put_outside(struct format *f, const struct tok *t)
{
	if (t->kind == TK_PROBE && !f->probes) {
		f->probes = true;
		end_line(f);
	}
	if (f->probes && is(t, "/") && (!f->predicate || predicate_ends(f))) {
		bool opens = !f->predicate;

		if (opens)
			end_line(f);
		struct tok slash = *t;
		slash.space = false;
		f->last.kind = TK_PUNCT;
		put(f, &slash, false);
		f->predicate = opens;
		f->last.at = "(";        /* nothing is between a slash and the expression */
		f->last.len = 1;
		if (!opens)
			end_line(f);
		return;
	}
	if (f->predicate && t->newlines)
		end_line(f);
	else if (!f->probes && t->newlines && f->within)
		end_line(f);
	put(f, t, f->predicate || (f->within && !f->probes));
	f->within = true;
	if (f->probes && is(t, ",") && !f->predicate)
		end_line(f);
	if (is(t, ";") && !f->predicate) {
		end_line(f);
		f->probes = f->within = false;
	}
}

/* The line of an else is that of its if. */
static void body_else(struct body *b)
{
	b->lone = b->nifs ? b->ifs[--b->nifs] : 0;
}

/* A statement has ended: those whose last part it was have ended, too, unless an else follows. */
static void body_end(struct format *f)
{
	struct body *b = body_of(f);
	const char *p = f->p;

	while (p < f->end && isspace((unsigned char)*p))
		p++;
	b->headed = false;
	f->within = false;
	if (f->end - p >= 4 && !memcmp(p, "else", 4) && (f->end - p == 4 || !word_char(p[4])))
		return;
	b->lone = b->nifs = 0;
}

/* A token of a statement: where does the statement of a head begin? */
static void body_token(struct format *f, const struct tok *t)
{
	struct body *b = body_of(f);

	if (b->headed && t->newlines) {
		end_line(f);
		b->lone++;
		f->within = false;
	}
	b->headed = false;
	if (is(t, "else"))
		body_else(b);
	if (is(t, "if") && b->nifs < BODIES)
		b->ifs[b->nifs++] = MIN(b->lone, 255u);
	if (is(t, "if") || is(t, "while") || is(t, "for"))
		f->head = true;
}

static void open_brace(struct format *f, const struct tok *t)
{
	body_of(f)->headed = false;
	if (f->probes && !f->depth) {
		end_line(f);
		f->own = 1;
	} else if (t->newlines && f->within) {
		end_line(f);
	}
	put(f, t, false);
	end_line(f);
	f->depth++;
	*body_of(f) = (struct body){ 0 };
	f->probes = f->within = f->gap = f->head = false;
	f->parens = 0;
}

static void close_brace(struct format *f, const struct tok *t)
{
	end_line(f);
	f->gap = false;
	*body_of(f) = (struct body){ 0 };
	if (f->depth)
		f->depth--;
	put(f, t, false);
	body_end(f);
	f->parens = 0;
	if (f->depth || f->own)
		end_line(f);
	else
		f->within = true;        /* a declaration ends with ; or goes on with a name */
	if (!f->depth && f->own)
		f->gap = true;
	if (!f->depth)
		f->own = 0;
}

static void put_inside(struct format *f, const struct tok *t)
{
	body_token(f, t);
	if (is(t, "else") && f->out.len > 2 && !f->begun && f->out.data[f->out.len - 2] == '}') {
		f->out.data[--f->out.len] = '\0';
		f->begun = true;
		f->last = (struct tok){ TK_PUNCT, "}", 1, 0, false };
	} else if (t->newlines && f->within) {
		end_line(f);
	}
	put(f, t, f->within);
	f->within = true;
	if (is(t, "(") || is(t, "["))
		f->parens++;
	else if ((is(t, ")") || is(t, "]")) && f->parens)
		f->parens--;
	if (is(t, "else") || (f->head && is(t, ")") && !f->parens)) {
		body_of(f)->headed = true;
		f->head = false;
	}
	/* Enumerators, each on its line. */
	bool listed = is(t, ",") && !f->own && f->depth && f->p < f->end && *f->p == '\n';
	if (!f->parens && (is(t, ";") || listed)) {
		end_line(f);
		body_end(f);
	}
}

static void put_token(struct format *f, const struct tok *t)
{
	if (t->newlines > 1 && !f->within && !f->probes && f->out.len && !is(t, "}"))
		f->gap = true;
	if (f->out.len && f->out.data[f->out.len - 1] == '\n' && f->out.len > 2 &&
	    f->out.data[f->out.len - 2] == '{')
		f->gap = false;
	if (t->kind == TK_COMMENT || t->kind == TK_LINE_COMMENT) {
		put_comment(f, t);
	} else if (t->kind == TK_CONTROL) {
		u32 depth = f->depth;

		end_line(f);
		f->depth = 0;
		put(f, t, false);
		end_line(f);
		f->depth = depth;
	} else if (is(t, "{") && !f->predicate) {
		open_brace(f, t);
	} else if (is(t, "}") && !f->predicate) {
		close_brace(f, t);
	} else if (f->depth) {
		put_inside(f, t);
	} else {
		put_outside(f, t);
	}
}

char *format_program(const char *text, size_t len)
{
	struct format f = { .p = text, .end = text + len };

	for (struct tok t = next_token(&f); t.kind != TK_END; t = next_token(&f))
		put_token(&f, &t);
	end_line(&f);
	return f.out.data ? f.out.data : xstrdup("");
}

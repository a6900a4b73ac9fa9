/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attr.c - layout attributes of C: packed, aligned, vector_size and mode, and #pragma pack.
 *
 * The lexer skips __attribute__((...)) like a comment, and records its place: the grammar does
 * not see it.  The code that lays out types reads the attributes here.  Other attributes have no
 * meaning in D.
 * Why: docs/decisions/10-library-on-demand.md
 */
#include <ctype.h>
#include <stdlib.h>

#include <dtx/arch.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"

#define WORD       "__attribute__"
#define ALIGN_MAX  (1u << 15)    /* of struct type */

/* Skips blanks, comments and control lines. */
static const char *blanks(const char *s)
{
	const char *end;

	for (;; s = end) {
		s += strspn(s, " \t\r\n\f\v");
		if (*s == '#' || (s[0] == '/' && s[1] == '/'))
			end = s + strcspn(s, "\n");
		else if (s[0] == '/' && s[1] == '*')
			end = (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
		else
			return s;
	}
}

/* The text after the parenthesis that closes the one at s. */
static const char *closed(const char *s)
{
	u32 depth = 0;

	for (; *s; s++) {
		if (*s == '"')
			for (s++; *s && *s != '"'; s++)
				s += *s == '\\' && s[1];
		depth += *s == '(';
		if (*s == ')' && !--depth)
			return s + 1;
		if (!*s)
			break;
	}
	return s;
}

static bool attr_is_word(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(s, word, n);
}

/* Types whose names may replace a number, in _Alignas. */
static bool begins_type(struct lexer *lx, const char *s, size_t n)
{
	static const char *const words[] = { "char",   "short", "int",    "long",   "unsigned",
					     "signed", "float", "double", "struct", "union" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (attr_is_word(s, n, words[i]))
			return true;
	return scope_is_typename(lx->comp, arena_strndup(lx->comp->arena, s, n));
}

/* The value of a constant expression in parentheses; 0: not a constant. */
static u32 value_of(struct lexer *lx, const char *s, const char *end)
{
	size_t word;
	const char *text;
	struct clause *cl;
	s64 v = 0;
	char *tail;

	s = blanks(s + 1);
	if (--end < s)
		return 0;
	v = strtoll(s, &tail, 0);
	if (blanks(tail) == end && tail > s)
		return v;
	word = name_span(s, "");
	text = arena_printf(lx->comp->arena,
			    begins_type(lx, s, word) ? "BEGIN { sizeof(%.*s); }"
						     : "BEGIN { (%.*s); }",
			    (int)(end - s), s);
	cl = parse_clause(lx->comp, "<dtx>/attribute", text);
	return cl && cl->body && decl_const(lx, cl->body->a, &v) ? v : 0;
}

/* A power of two in parentheses; 0 after an error. */
static u32 attr_number(struct lexer *lx, const char *s, const char *end)
{
	struct diags *ds = &lx->comp->env->diags;
	u32 errors = ds->nerrors, from = s - lx->src->text, v = value_of(lx, s, end);

	if (v && v <= ALIGN_MAX && !(v & (v - 1)))
		return v;
	if (ds->nerrors == errors)
		diag_error(ds, D_DECL_BFCONST, (struct range){ lx->src, from, end - lx->src->text },
			   "this must be a constant, and a power of two up to %u", ALIGN_MAX);
	return 0;
}

/* mode(DI): an integer of that many bytes. */
static u32 mode_size(const char *s)
{
	static const struct {
		const char *name; u32 size;
	} modes[] = {
		{ "QI", 1 }, { "byte", 1 }, { "HI", 2 },      { "SI", 4 },
		{ "DI", 8 }, { "word", 8 }, { "pointer", 8 },
	};

	s += strspn(s, "(_ \t\n");
	for (u32 i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strncmp(s, modes[i].name, strlen(modes[i].name)))
			return modes[i].size;
	return 0;
}

static void one(struct lexer *lx, const char *s, size_t n, const char *args, const char *end,
		struct attrs *out)
{
	if (n > 4 && !memcmp(s, "__", 2) && !memcmp(s + n - 2, "__", 2)) {
		s += 2;
		n -= 4;
	}
	if (attr_is_word(s, n, "packed")) {
		out->packed = true;
	} else if (attr_is_word(s, n, "aligned")) {
		out->align = MAX(out->align, args ? attr_number(lx, args, end) : ARCH_ALIGN_MOST);
	} else if (attr_is_word(s, n, "vector_size") && args) {
		out->vector = attr_number(lx, args, end);
	} else if (attr_is_word(s, n, "mode") && args) {
		out->mode = mode_size(args);
	}
}

/* Reads __attribute__((a, b(1))) at s; returns the text after it. */
static const char *read_one(struct lexer *lx, const char *s, struct attrs *out)
{
	const char *open = blanks(s + strlen(WORD)), *end = closed(open), *args, *behind;
	const char *inner = *open == '(' ? blanks(open + 1) : "";
	size_t n;

	if (*inner != '(')
		return end;
	for (s = blanks(inner + 1); s < end && *s && *s != ')'; s = behind) {
		n = name_span(s, "");
		args = blanks(s + n);
		behind = *args == '(' ? closed(args) : args;
		one(lx, s, n, *args == '(' ? args : NULL, behind, out);
		behind = blanks(behind);
		if (behind == s)
			break;
		behind = *behind == ',' ? blanks(behind + 1) : behind;
	}
	return end;
}

void attr_behind(struct lexer *lx, u32 at, struct attrs *out)
{
	const char *s = blanks(lx->src->text + at);

	while (!strncmp(s, WORD, strlen(WORD)))
		s = blanks(read_one(lx, s, out));
}

void attr_seen(struct lexer *lx)
{
	VEC_PUSH(&lx->attrs, ((struct attr_at){ lx->from, lx->levels.n }));
}

/* Does it follow the body of a struct, and so belong to the struct? */
static bool of_struct(struct lexer *lx, const struct attr_at *a, u32 i)
{
	const char *text = lx->src->text, *s = text + a[i].from;

	while (i && a[i - 1].from < a[i].from &&
	       blanks(closed(blanks(text + a[i - 1].from + strlen(WORD)))) == s)
		s = text + a[--i].from;
	while (s > text && isspace((unsigned char)s[-1]))
		s--;
	return s > text && s[-1] == '}';
}

static void attrs_join(struct attrs *to, const struct attrs *more)
{
	to->packed |= more->packed;
	to->align = MAX(to->align, more->align);
	to->vector = to->vector ? to->vector : more->vector;
	to->mode = to->mode ? to->mode : more->mode;
}

struct attrs attr_take(struct lexer *lx, u32 depth, struct declrs list)
{
	u32 first = lx->attrs.n;
	struct attrs common = { 0 };

	while (first && lx->attrs.v[first - 1].depth >= depth)
		first--;
	for (u32 i = first; i < lx->attrs.n; i++) {
		const struct attr_at *a = &lx->attrs.v[i];
		struct attrs *to = &common;

		if (a->depth > depth || of_struct(lx, lx->attrs.v, i))
			continue;
		for (struct declr *d = list.first; d; d = d->next)
			if (d->at.from < a->from)
				to = &d->attrs;
		read_one(lx, lx->src->text + a->from, to);
	}
	lx->attrs.n = first;
	for (struct declr *d = list.first; d; d = d->next)
		attrs_join(&d->attrs, &common);
	return common;
}

struct type *attr_type(struct lexer *lx, const struct attrs *a, struct type *t)
{
	static struct type *const ints[2][9] = {
		{ [1] = &ty_uchar, [2] = &ty_ushort, [4] = &ty_uint, [8] = &ty_ulong },
		{ [1] = &ty_schar, [2] = &ty_short, [4] = &ty_int, [8] = &ty_long },
	};
	u64 size;

	if (a->mode && type_is_int(t))
		t = ints[type_signed(t)][a->mode];
	size = type_size(lx->comp, t);
	if (!a->vector || !size || a->vector % size)
		return t;
	t = type_array(lx->comp->arena, t, a->vector / size);
	t->is_vector = true;
	return t;
}

/* ---- #pragma pack ---------------------------------------------------------------------------- */

/* (N), (), (push), (push, N), (push, NAME, N), (pop), (pop, NAME) */
void attr_pack(struct lexer *lx, const char *s)
{
	bool push = strstr(s, "push"), pop = strstr(s, "pop");
	const char *digits = strpbrk(s, "0123456789");

	while (digits && name_char(digits[-1]))
		digits = strpbrk(digits + 1, "0123456789");
	if (push)
		VEC_PUSH(&lx->packs, lx->pack);
	if (pop)
		lx->pack = lx->packs.n ? lx->packs.v[--lx->packs.n] : 0;
	if (digits) {
		u32 n = strtoul(digits, NULL, 10);

		lx->pack = n <= ARCH_ALIGN_MOST && !(n & (n - 1))
				   ? n
				   : lx->pack; /* C compilers ignore others */
	} else if (!push && !pop) {
		lx->pack = 0;
	}
}

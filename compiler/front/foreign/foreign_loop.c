/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign_loop.c - the loops of bpftrace in D, whose loops print nothing: short ones are written
 * out.
 */
#include <ctype.h>
#include <stdlib.h>

#include "compiler/front/builtin.h"
#include "compiler/front/foreign/foreign.h"

#define UNROLL_MAX   8           /* a longer loop is not written out */

/* The body of a loop: what is between the braces. */
struct loop {
	u32 from, to, past;
	bool acts;               /* it prints, which loops cannot */
};

static bool loop_acts(const struct said *s, u32 from, u32 to)
{
	u32 end, next;

	for (u32 i = from; i < to; i = next) {
		const struct builtin *b;

		next = foreign_quoted(s->text, i, to);
		end = foreign_word_end(s->text, i, to);
		next = MAX(MAX(next, end), i + 1);
		if (end == i || !said_is(s, foreign_blanks(s->text, end, to), "("))
			continue;
		b = builtin_find(arena_strndup(s->arena, s->text + i, end - i));
		if (b && b->kind == BK_ACT && !builtin_is(b, BI_exit))
			return true;
	}
	return false;
}

static bool loop_body(const struct said *s, u32 open, struct loop *l)
{
	l->past = foreign_closed(s->text, MIN(open, s->end), s->end);
	if (!said_is(s, open, "{") || l->past == open)
		return false;
	l->from = foreign_blanks(s->text, open + 1, s->end);
	l->to = l->past - 1;
	while (l->to > l->from && isspace((unsigned char)s->text[l->to - 1]))
		l->to--;
	l->acts = loop_acts(s, l->from, l->to);
	return true;
}

#define NO_ACTIONS "a loop prints nothing: write it out, or aggregate: @[this->i] = max(x)"

/* The body once for each value; `name` to `end`: the variable, which may be empty. */
static void loop_written(struct said *s, const struct loop *l, u64 first, u64 past)
{
	for (s->value = first; s->value < past; s->value++) {
		if (s->value > first)
			buf_putc(&s->out, ' ');
		s->at = l->from;
		said_until(s, l->to);
		if (s->out.len && !strchr(";}", s->out.data[s->out.len - 1]))
			buf_putc(&s->out, ';');
	}
	s->unrolled = 0;
	said_skip(s, l->past);
}

/* A number that takes all of the text, or false. */
static bool said_number(const struct said *s, u32 from, u32 to, u64 *v)
{
	char *end;

	from = foreign_blanks(s->text, from, to);
	*v = isdigit((unsigned char)s->text[from]) ? strtoull(s->text + from, &end, 0) : 0;
	return isdigit((unsigned char)s->text[from]) &&
	       foreign_blanks(s->text, (u32)(end - s->text), to) == to;
}

/* unroll(N) { … } */
bool foreign_unroll(struct said *s)
{
	u32 open = foreign_blanks(s->text, s->at + strlen("unroll"), s->end);
	u32 close = foreign_closed(s->text, MIN(open, s->end), s->end);
	struct loop l;
	u64 n;

	if (!said_is(s, open, "(") || close == open ||
	    !loop_body(s, foreign_blanks(s->text, close, s->end), &l))
		return false;
	if (l.acts && said_number(s, open + 1, close - 1, &n) && n <= UNROLL_MAX) {
		loop_written(s, &l, 0, n);
		return true;
	}
	if (l.acts)
		said_cannot(s, NO_ACTIONS);
	buf_puts(&s->out, "for (this->i = 0; this->i < ");
	said_skip(s, open + 1);
	said_until(s, close - 1);
	buf_puts(&s->out, "; this->i++");
	return true;
}

/* for ($i : A..B) { … } */
static bool say_range(struct said *s, u32 name, u32 colon, u32 close, const struct loop *l)
{
	u32 end = foreign_word_end(s->text, name + 1, s->end), dots = colon + 1;
	u64 first, past;

	while (dots < close && !said_is(s, dots, ".."))
		dots++;
	if (dots == close)
		return false;
	if (l->acts && said_number(s, colon + 1, dots, &first) &&
	    said_number(s, dots + 2, close - 1, &past) && past - first <= UNROLL_MAX) {
		s->unrolled = name + 1;
		s->unrolled_end = end;
		loop_written(s, l, first, past);
		return true;
	}
	if (l->acts)
		said_cannot(s, NO_ACTIONS);
	buf_printf(&s->out, "for (this->%.*s = ", (int)(end - name - 1), s->text + name + 1);
	s->at = foreign_blanks(s->text, colon + 1, s->end);
	said_until(s, dots);
	buf_printf(&s->out, "; this->%.*s < ", (int)(end - name - 1), s->text + name + 1);
	s->at = foreign_blanks(s->text, dots + 2, s->end);
	said_until(s, close - 1);
	buf_printf(&s->out, "; this->%.*s++", (int)(end - name - 1), s->text + name + 1);
	s->changed = true;
	return true;
}

/* for ($kv : @map) { … }: an aggregation is printed as a whole. */
static bool say_entries(struct said *s, u32 at, const struct loop *l)
{
	struct foreign_map m = foreign_map_at(s->text, at, s->end);

	if (foreign_map_kind(s->src, &m) != FOREIGN_AGG || !l->acts) {
		said_cannot(s, "the entries of an array are not known: an aggregation is printed "
			       "as a whole");
		return false;
	}
	buf_printf(&s->out, "printa(@%.*s);", (int)(m.end - m.name), s->text + m.name);
	said_skip(s, l->past);
	return true;
}

bool foreign_for(struct said *s)
{
	u32 open = foreign_blanks(s->text, s->at + strlen("for"), s->end);
	u32 close = foreign_closed(s->text, MIN(open, s->end), s->end);
	u32 name = foreign_blanks(s->text, open + 1, s->end), colon, from;
	struct loop l;

	if (!said_is(s, open, "(") || close == open ||
	    !loop_body(s, foreign_blanks(s->text, close, s->end), &l))
		return false;
	colon = name + (u32)strcspn(s->text + name, ":;{");
	if (!said_is(s, colon, ":")) {
		if (l.acts)
			said_cannot(s, NO_ACTIONS);
		return false;
	}
	from = foreign_blanks(s->text, colon + 1, s->end);
	if (said_is(s, from, "@"))
		return say_entries(s, from, &l);
	return said_is(s, name, "$") && say_range(s, name, colon, close, &l);
}

bool foreign_while(struct said *s)
{
	u32 open = foreign_blanks(s->text, s->at + strlen("while"), s->end);
	u32 close = foreign_closed(s->text, MIN(open, s->end), s->end);
	struct loop l;

	if (loop_body(s, foreign_blanks(s->text, close, s->end), &l) && l.acts)
		said_cannot(s, NO_ACTIONS);
	return false;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* foreign_map.c - the maps of a bpftrace program: which are aggregations in D, which variables. */
#include "compiler/front/foreign/foreign.h"

/* How a map is used in one place. */
enum {
	USE_ADD    = 1,          /* = count(), ++, += */
	USE_VALUE  = 2,          /* read or stored */
	USE_TID    = 4,          /* with the key tid */
	USE_KEY    = 8,          /* with another key */
};

/* Looks for the aggregating function of "= fn(" or "= fn" at m->op. */
static void map_function(struct foreign_map *m, const char *text, u32 end)
{
	u32 word = foreign_blanks(text, m->op + 1, end), past = foreign_word_end(text, word, end);
	const struct agg_func *fn;
	char name[32];

	if (m->op >= end || text[m->op] != '=' || past == word || past - word >= sizeof(name))
		return;
	memcpy(name, text + word, past - word);
	name[past - word] = 0;
	fn = agg_find(name);
	if (text[foreign_blanks(text, past, end)] == '(')
		m->fn = fn;
	else if (fn)
		m->bare = past;
}

struct foreign_map foreign_map_at(const char *text, u32 at, u32 end)
{
	struct foreign_map m = { .name = at + 1, .end = foreign_word_end(text, at + 1, end) };
	u32 open = foreign_blanks(text, m.end, end);

	m.keys = open < end && text[open] == '[' ? foreign_closed(text, open, end) : m.end;
	if (m.keys == open)              /* not closed */
		m.keys = m.end;
	m.op = foreign_blanks(text, m.keys, end);
	map_function(&m, text, end);
	return m;
}

/* The function of which the map is the first argument: where its name is, and its length. */
static u32 map_call(const char *text, const struct foreign_map *m, u32 *from)
{
	u32 at = m->name - 1;

	return at && text[at - 1] == '(' ? foreign_word_before(text, at - 1, from) : 0;
}

static bool is_one_of(const char *text, u32 len, const char *const *words)
{
	for (; len && *words; words++)
		if (foreign_is(text, len, *words))
			return true;
	return false;
}

static u32 key_use(const char *text, u32 from, u32 to)
{
	from = foreign_blanks(text, from, to);
	while (to > from && foreign_blanks(text, to - 1, to) == to)
		to--;
	return foreign_is(text + from, to - from, "tid") ? USE_TID : USE_KEY;
}

/* delete(@x, key), has_key(@x, key) */
static u32 second_key(const char *text, const struct foreign_map *m, u32 end)
{
	u32 open = m->name - 2, close = foreign_closed(text, open, end);

	return text[m->op] == ',' && close > m->op ? key_use(text, m->op + 1, close - 1) : 0;
}

static u32 map_use(const char *text, const struct foreign_map *m, u32 end)
{
	static const char *const wholes[] = { "print", "printa",    "clear",       "zero",
					      "trunc", "normalize", "denormalize", NULL };
	static const char *const keyed[] = { "delete", "has_key", NULL };
	u32 from = 0, len = map_call(text, m, &from), use = 0;
	bool added = m->fn || m->bare || !strncmp(text + m->op, "++", 2) ||
		     !strncmp(text + m->op, "+=", 2) ||
		     (m->name > 2 && !strncmp(text + m->name - 3, "++", 2));

	if (m->name > 1 && foreign_follows(text, m->name - 1, ':'))
		return 0;                /* for (… : @x) */
	if (m->keys > m->end)
		use = key_use(text, strchr(text + m->end, '[') - text + 1, m->keys - 1);
	if (is_one_of(text + from, len, keyed))
		return use | USE_VALUE | second_key(text, m, end);
	if (is_one_of(text + from, len, wholes))
		return use;
	return use | (added ? USE_ADD : USE_VALUE);
}

enum foreign_kind foreign_map_kind(const struct source *src, const struct foreign_map *map)
{
	const char *text = src->text;
	u32 uses = 0, next;

	for (u32 i = 0; i < src->len; i = next) {
		struct foreign_map m;

		next = foreign_quoted(text, i, src->len);
		if (next > i)
			continue;
		next = i + 1;
		if (text[i] != '@')
			continue;
		m = foreign_map_at(text, i, src->len);
		if (m.end - m.name == map->end - map->name &&
		    !memcmp(text + m.name, text + map->name, m.end - m.name))
			uses |= map_use(text, &m, src->len);
	}
	if (!(uses & USE_VALUE))
		return FOREIGN_AGG;
	if (uses & USE_KEY)
		return FOREIGN_ARRAY;
	return uses & USE_TID ? FOREIGN_THREAD : FOREIGN_VAR;
}

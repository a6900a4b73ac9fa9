/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * json.bpf.c - json(text, path): one element of a JSON text, found in one pass.
 *
 * The text is in WORK_A, the path ("a.b[2].c") in WORK_B.  Only the containers along the
 * path are searched, so one level of state is enough; other values are skipped by
 * counting brackets.  Each byte is one call of a function that the verifier checks once.
 */
#include "text/strfn.h"

enum json_at {
	ROOT,                    /* before the outermost container */
	KEYQ, KEY, COLON,        /* of the object on the path */
	VALUE, AFTER,            /* of the container on the path */
	SKIP, SKIPSTR, SKIPWORD, /* a value to skip */
	TAKE, TAKESTR, TAKETEXT, TAKEWORD,       /* the wanted value: container, text in it … */
	FOUND, MISSING,
};

struct json {
	u64 at;                  /* enum json_at */
	u64 path;                /* where the wanted element begins in WORK_B */
	u64 next;                /* and the one after it */
	u64 last;                /* it is the last one */
	u64 array, index, want;  /* the container on the path; the current element, the wanted
				  * one */
	u64 hit, key;            /* the key matches so far; the position of the comparison */
	u64 nest, escaped;
	u64 from, to;            /* what was found, in WORK_A */
};

_Static_assert(sizeof(struct json) <= sizeof(((struct str_state *)0)->in_set), "state of json()");

static inline __attribute__((always_inline)) volatile struct json *json_state(char *slot)
{
	return (volatile struct json *)str_state(slot)->in_set;
}

static inline __attribute__((always_inline)) u8 path_byte(char *slot, u64 i)
{
	return *(volatile u8 *)(slot + WORK_B + str_clamp(i, STR_MAX - 1));
}

static inline __attribute__((always_inline)) bool is_blank(u8 c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The element that ends at `end` of the path was found: what follows it? */
static inline __attribute__((always_inline)) void path_after(char *slot, u64 end)
{
	u8 c = path_byte(slot, end);

	json_state(slot)->last = !c;
	json_state(slot)->next = end + (c == '.');
}

/* A container on the path begins with `open`. */
DTX_GLOBAL u64 dtx_g_json_enter(u64 level, u64 open)
{
	char *slot = str_slot(level);
	u64 at, want = 0;

	if (!slot)
		return 0;
	volatile struct json *j = json_state(slot);
	bool array = path_byte(slot, j->path) == '[';

	j->index = 0;
	j->array = array;
	j->at = array ? VALUE : KEYQ;
	if (array != (open == '['))
		j->at = MISSING;
	if (!array)
		return 0;
	at = j->path + 1;
	for (u64 i = 0; i < 10; i++, at++) {
		u64 d = (u8)(path_byte(slot, at) - '0');

		if (d > 9)
			break;
		want = want * 10 + d;
	}
	if (path_byte(slot, at) != ']')
		j->at = MISSING;
	j->want = want;
	path_after(slot, at + 1);
	return 0;
}

/* A value of the container on the path begins. */
DTX_GLOBAL u64 dtx_g_json_value(u64 level, u64 c, u64 at)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	volatile struct json *j = json_state(slot);
	bool open = c == '{' || c == '[', hit = j->array ? j->index == j->want : j->hit;

	j->nest = open;
	j->from = at + (c == '"');
	if (c == ']') {                  /* an array without elements */
		j->at = MISSING;
	} else if (hit && j->last) {
		j->at = c == '"' ? TAKETEXT : open ? TAKE : TAKEWORD;
	} else if (hit && open) {
		j->path = j->next;
		dtx_g_json_enter(level, c);
	} else if (hit) {
		j->at = MISSING;
	} else {
		j->at = c == '"' ? SKIPSTR : open ? SKIP : SKIPWORD;
	}
	return 0;
}

/* In a text: is this byte its end?  Keeps track of backslashes. */
static inline __attribute__((always_inline)) bool text_ends(volatile struct json *j, u8 c)
{
	bool escaped = j->escaped;

	j->escaped = !escaped && c == '\\';
	return !escaped && c == '"';
}

/* In a value that is skipped or taken: the states of the value, of its texts, and after it. */
static inline __attribute__((always_inline)) bool nested_ends(volatile struct json *j, u8 c,
							      u64 text)
{
	if (c == '"')
		j->at = text;
	else if (c == '{' || c == '[')
		j->nest++;
	else if (c == '}' || c == ']')
		j->nest--;
	return !j->nest;
}

static inline __attribute__((always_inline)) void after(volatile struct json *j, u8 c)
{
	j->at = c == ',' ? j->array ? VALUE : KEYQ : is_blank(c) ? AFTER : MISSING;
	j->index += c == ',';
}

static inline __attribute__((always_inline)) void key_byte(char *slot, u8 c)
{
	volatile struct json *j = json_state(slot);
	u8 p = path_byte(slot, j->key);
	bool end = !p || p == '.' || p == '[';

	if (!text_ends(j, c)) {
		j->hit = j->hit && !end && p == c;
		j->key++;
		return;
	}
	j->at = COLON;
	j->hit = j->hit && end;
	if (j->hit)
		path_after(slot, j->key);
}

/* Values that are skipped or taken. */
DTX_GLOBAL u64 dtx_g_json_inside(u64 level, u64 c, u64 at)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	volatile struct json *j = json_state(slot);
	bool ends = is_blank(c) || c == ',' || c == '}' || c == ']' || !c;

	switch (j->at) {
	case SKIP:
		if (nested_ends(j, c, SKIPSTR))
			j->at = AFTER;
		break;
	case SKIPSTR:
		if (text_ends(j, c))
			j->at = j->nest ? SKIP : AFTER;
		break;
	case SKIPWORD:
		if (ends)
			after(j, c);
		break;
	case TAKE:
		j->to = at + 1;
		if (nested_ends(j, c, TAKESTR))
			j->at = FOUND;
		break;
	case TAKESTR:
		if (text_ends(j, c))
			j->at = TAKE;
		break;
	case TAKETEXT:
		j->to = at;
		if (text_ends(j, c))
			j->at = FOUND;
		break;
	case TAKEWORD:
		j->to = at;
		if (ends)
			j->at = FOUND;
		break;
	}
	if (!c && j->at != FOUND)
		j->at = MISSING;
	return 0;
}

/* One byte of the text; 0: the search is over. */
DTX_GLOBAL u64 dtx_g_json_step(u64 level, u64 at)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	volatile struct json *j = json_state(slot);
	u64 state = j->at;
	u8 c = *(volatile u8 *)(slot + WORK_A + str_clamp(at, STR_MAX - 1));

	if (state >= SKIP)
		dtx_g_json_inside(level, c, at);
	else if (!c)
		j->at = MISSING;
	else if (state == KEY)
		key_byte(slot, c);
	else if (is_blank(c))
		return 1;
	else if (state == VALUE)
		dtx_g_json_value(level, c, at);
	else if (state == AFTER)
		after(j, c);
	else if (state == COLON)
		j->at = c == ':' ? VALUE : MISSING;
	else if (state == KEYQ)
		j->at = c == '"' ? KEY : MISSING;
	else
		dtx_g_json_enter(level, c);
	if (state == KEYQ) {
		j->hit = 1;
		j->key = j->path;
	}
	return j->at < FOUND;
}

DTX_GLOBAL u64 dtx_g_json_block(u64 level, u64 from)
{
	for (u64 i = 0; i < STR_BLOCK; i++)
		if (!dtx_g_json_step(level, from + i))
			return 0;
	return 1;
}

/* 1: found, 0: not. */
DTX_GLOBAL u64 dtx_g_json(u64 level, u64 la, u64 lb, u64 out)
{
	char *slot = str_slot(level);

	if (!slot)
		return 0;
	volatile struct json *j = json_state(slot);

	*(volatile u8 *)(slot + WORK_A + str_clamp(la, STR_MAX - 1)) = 0;
	*(volatile u8 *)(slot + WORK_B + str_clamp(lb, STR_MAX - 1)) = 0;
	j->at = ROOT;
	j->path = j->next = j->last = j->array = j->hit = j->key = 0;
	j->nest = j->escaped = j->from = j->to = 0;
	for (u64 i = 0; i < STR_MAX; i += STR_BLOCK)
		if (!dtx_g_json_block(level, i))
			break;
	if (j->at != FOUND)
		j->from = j->to = 0;
	dtx_g_put(level, WORK_A, j->from, j->to - j->from, out);
	return j->at == FOUND;
}

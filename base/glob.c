/* SPDX-License-Identifier: BSD-2-Clause */
/* glob.c - D's patterns, and edit distance for "did you mean". */
#include <dtx/base.h>

#define EDIT_MAX 128             /* longer names are cut: only short names are compared */

/*
 * Matches one element of the pattern against one byte.  Returns the rest of the
 * pattern if it matched, else NULL.  An unclosed set matches nothing.
 */
static const char *glob_set(const char *p, u8 c)
{
	bool negate = *p == '!', hit = false, first = true;

	for (p += negate; *p && (first || *p != ']'); first = false) {
		u8 from, to;

		if (*p == '\\' && p[1])
			p++;
		from = to = (u8)*p++;
		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			if (*p == '\\' && p[1])
				p++;
			to = (u8)*p++;
		}
		hit |= from <= c && c <= to;
	}
	return *p && hit != negate ? p + 1 : NULL;
}

static const char *glob_one(const char *p, u8 c)
{
	switch (*p) {
	case '\0':
		return NULL;
	case '?':
		return p + 1;
	case '[':
		return glob_set(p + 1, c);
	case '\\':
		if (p[1])
			p++;
		break;
	}
	return (u8)*p == c ? p + 1 : NULL;
}

bool glob_matches(const char *p, const char *s)
{
	const char *star = NULL, *mark = NULL, *next;

	if (!*p)
		return true;
	while (*s) {
		if (*p == '*') {
			star = ++p;
			mark = s;
		} else if ((next = glob_one(p, (u8)*s))) {
			p = next;
			s++;
		} else if (star) {
			p = star;
			s = ++mark;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool glob_is_pattern(const char *p)
{
	return !*p || strpbrk(p, "*?[\\");
}

/* Levenshtein with neighbouring letters swapped counting one (three rows), and so counts a word
 * in other cases. */
unsigned edit_distance(const char *a, const char *b, unsigned max)
{
	size_t na = strnlen(a, EDIT_MAX), nb = strnlen(b, EDIT_MAX);
	unsigned rows[3][EDIT_MAX + 1], best;

	if (!strcasecmp(a, b))
		return strcmp(a, b) ? 1 : 0;
	if ((na > nb ? na - nb : nb - na) > max)
		return max + 1;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];

		best = row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned d = up[j - 1] + (a[i - 1] != b[j - 1]);

			d = MIN(d, MIN(up[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = MIN(d, up2[j - 2] + 1);
			row[j] = d;
			best = MIN(best, d);
		}
		if (best > max)
			return max + 1;
	}
	return MIN(rows[na % 3][nb], max + 1);
}

bool is_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

bool list_has(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (!strncmp(list, word, n) && (!list[n] || list[n] == ','))
			return true;
	return false;
}

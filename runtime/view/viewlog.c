/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * viewlog.c - the log of a view: the last VIEW_LINES lines of what the program printed, of the
 * command's output and of messages, numbered from 0.
 */
#include <stdlib.h>

#include "runtime/view/view.h"

struct log {
	struct view_line lines[VIEW_LINES];      /* line i is at i % VIEW_LINES */
	u64 n, skipped;
	struct buf open[VIEW_FROM_N];    /* lines that have not ended yet */
};

struct log *log_new(void)
{
	return xcalloc(1, sizeof(struct log));
}

void log_free(struct log *l)
{
	if (!l)
		return;
	for (u32 i = 0; i < VIEW_LINES; i++)
		free((char *)l->lines[i].text);
	for (u32 i = 0; i < VIEW_FROM_N; i++)
		buf_free(&l->open[i]);
	free(l);
}

/* Control characters could act on a terminal: tabs become blanks, others are left out, and so are
 * the escape sequences of colours. */
static void log_clean(struct buf *b)
{
	size_t to = 0;

	for (size_t i = 0; i < b->len; i++) {
		u8 c = b->data[i];

		if (c == 0x1b && b->data[i + 1] == '[') {
			for (i += 2; i < b->len && (u8)b->data[i] < 0x40; i++)
				;
			continue;
		}
		if (c == '\t')
			c = ' ';
		if (c >= 0x20 && c != 0x7f)
			b->data[to++] = (char)c;
	}
	b->len = to;
}

static void log_end_line(struct log *l, enum view_from from, s64 time)
{
	struct view_line *line = &l->lines[l->n++ % VIEW_LINES];
	struct buf *b = &l->open[from];

	log_clean(b);
	free((char *)line->text);
	char *text = xmalloc(b->len + 1);
	memcpy(text, b->len ? b->data : "", b->len);
	text[b->len] = '\0';
	*line = (struct view_line){ from, time, text, b->len };
	buf_reset(b);
}

void log_text(struct log *l, enum view_from from, s64 time, const char *text, size_t len)
{
	struct buf *b = &l->open[from];
	const char *end = text + len;

	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		size_t n = (nl ? nl : end) - text;

		buf_add(b, text, MIN(n, (size_t)VIEW_LINE - MIN(b->len, (size_t)VIEW_LINE)));
		text += n + (nl != NULL);
		if (nl)
			log_end_line(l, from, time);
	}
}

void log_skip(struct log *l, u64 lines)
{
	l->skipped += lines;
}

u64 log_skipped(const struct log *l)
{
	return l->skipped;
}

u64 log_lines(const struct log *l, u64 *first)
{
	*first = l->n > VIEW_LINES ? l->n - VIEW_LINES : 0;
	return l->n;
}

const struct view_line *log_line(const struct log *l, u64 number)
{
	u64 first, n = log_lines(l, &first);

	return number >= first && number < n ? &l->lines[number % VIEW_LINES] : NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servetrace.c - the file of option trace, while it is written: as one that is whole, or a part of
 * it for a page that follows.  The thread of HTTP reads it; the one that traces has no part in it.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sink/serve/serve.h"

#define TRACE_PART   (4u << 20)  /* bytes of one answer to a page */
#define TRACE_TAIL   65536       /* an event is shorter */

static const char closing[] = "\n]}\n";

static u64 trace_size(int fd)
{
	struct stat st;

	return !fstat(fd, &st) ? (u64)st.st_size : 0;
}

/* Is the last line an event with its end? */
static bool trace_is_whole(const char *p, size_t len)
{
	bool text = false;
	int depth = 0;

	for (size_t i = 0; i < len; i++) {
		if (text && p[i] == '\\')
			i++;
		else if (p[i] == '"')
			text = !text;
		else if (!text)
			depth += p[i] == '{' ? 1 : p[i] == '}' ? -1 : 0;
	}
	return len && !text && !depth;
}

/* How much of the file is whole: all when it has its end, else all up to the last event. */
static u64 trace_events(int fd, bool *ended)
{
	u64 size = trace_size(fd), from = size > TRACE_TAIL ? size - TRACE_TAIL : 0;
	char *tail = xmalloc(TRACE_TAIL), *last;
	ssize_t n = MAX(pread(fd, tail, size - from, (off_t)from), (ssize_t)0);
	size_t len = sizeof(closing) - 1, whole = (size_t)n;

	*ended = whole >= len && !memcmp(tail + whole - len, closing, len);
	last = *ended ? NULL : memrchr(tail, '\n', whole);
	if (last && !trace_is_whole(last + 1, tail + whole - last - 1)) {
		whole = last - tail;     /* the comma of an event is before its newline */
		whole -= whole && tail[whole - 1] == ',';
	}
	free(tail);
	return from + whole;
}

void serve_trace_open(struct serve_trace *t, int fd, u64 from, bool part)
{
	bool ended = true;

	*t = (struct serve_trace){ .fd = fd, .at = from };
	t->end = part ? MIN(trace_size(fd), from + TRACE_PART) : trace_events(fd, &ended);
	t->tail = ended ? "" : closing;
}

u64 serve_trace_left(const struct serve_trace *t)
{
	return (t->end > t->at ? t->end - t->at : 0) + strlen(t->tail);
}

ssize_t serve_trace_read(struct serve_trace *t, char *to, size_t max)
{
	ssize_t n = 0;

	if (t->at < t->end)
		n = pread(t->fd, to, MIN(max, (size_t)(t->end - t->at)), (off_t)t->at);
	if (n > 0) {
		t->at += (u64)n;
		return n;
	}
	n = (ssize_t)MIN(max, strlen(t->tail));
	memcpy(to, t->tail, (size_t)n);
	t->tail += n;
	return n;
}

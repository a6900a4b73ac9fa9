/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfmap.c - perf-PID.map, in which a process names the code that it makes
 * (linux/tools/perf/Documentation/jit-interface.txt).
 *
 * A line is "START SIZE name", both numbers in hexadecimal.  Lines are appended: only what is new
 * is read, block by block, as far as the budget allows.  A NUL byte is no text (the file has a
 * hole, or is something else): reading stops there, and looks again when the file has changed.
 *
 * A later line may give an address another name.  So there are names only if all was read.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/stack/stack-private.h"

#define BLOCK      65536         /* bytes */
#define FILE_MOST  (128ull << 20)
#define TAIL       64            /* bytes before the place that are looked at again */
#define KIND       PERFMAP_KIND

struct perfmap {
	u32 pid;
	int fd;
	u64 at;                          /* what is before it was read */
	u64 bytes;                       /* that were read in all */
	bool inside;                     /* of a line that is too long: its rest is left out */
	bool blocked;                    /* nothing more until the file changes */
	bool over;                       /* it is too large: it is not read any more */
	bool whole;                      /* it was read to its end */
	struct stat seen;                /* when it was looked at */
	u32 ntail;
	char tail[TAIL];                 /* the bytes before `at` */
	struct jit *jit;
};

struct perfmap *perfmap_open(int fd, u32 pid)
{
	struct perfmap *m = xcalloc(1, sizeof(*m));

	m->fd = fd;
	m->pid = pid;
	m->jit = jit_new(KIND, pid);
	return m;
}

void perfmap_close(struct perfmap *m)
{
	if (!m)
		return;
	close(m->fd);
	jit_free(m->jit);
	free(m);
}

/* false: there is no room for more. */
static bool take_line(struct perfmap *m, const char *line)
{
	char *q;
	u64 addr = strtoull(line, &q, 16), size = strtoull(q, &q, 16);

	return *q != ' ' || jit_add(m->jit, addr, size, jit_name(m->jit, q + 1));
}

/* Takes the lines of a block that are whole.  Returns how many bytes they have. */
static size_t take_lines(struct perfmap *m, char *text, size_t n)
{
	char *line = text, *end = text + n, *next;

	for (; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
		*next = '\0';
		if (!m->inside && !take_line(m, line)) {
			m->over = true;
			break;
		}
		m->inside = false;
		*next = '\n';
	}
	if (line > text || n < BLOCK)
		return (size_t)(line - text);
	text[n] = '\0';                  /* a line that is longer than the block: its begin */
	m->over |= !m->inside && !take_line(m, text);
	m->inside = true;
	return n;
}

static void keep_tail(struct perfmap *m, const char *text, size_t n)
{
	m->ntail = (u32)MIN(n, (size_t)TAIL);
	memcpy(m->tail, text + n - m->ntail, m->ntail);
}

/* One block.  false: there is nothing more to read now. */
static bool read_block(struct perfmap *m, char *text)
{
	ssize_t got = pread(m->fd, text, BLOCK, (off_t)m->at);
	size_t n = got > 0 ? strnlen(text, (size_t)got) : 0, used;

	m->blocked = n < BLOCK;
	m->bytes += n;
	if (!n)
		return false;
	if (m->bytes > FILE_MOST || !budget_read(n)) {
		budget_refuse(KIND " of process %u", m->pid);
		m->over = true;
		return false;
	}
	used = take_lines(m, text, n);
	m->at += used;
	if (used)
		keep_tail(m, text, used);
	return !m->blocked && used;
}

/* Was it written anew, and not only continued? */
static bool is_another(const struct perfmap *m, const struct stat *st)
{
	char now[TAIL];

	return (u64)st->st_size < m->at ||
	       (m->ntail && (pread(m->fd, now, m->ntail, (off_t)(m->at - m->ntail)) !=
			     (ssize_t)m->ntail || memcmp(now, m->tail, m->ntail)));
}

static void begin_anew(struct perfmap *m)
{
	jit_free(m->jit);
	m->jit = jit_new(KIND, m->pid);
	m->at = m->ntail = 0;
	m->inside = false;
}

static bool has_changed(const struct perfmap *m, const struct stat *st)
{
	return st->st_size != m->seen.st_size || st->st_mtim.tv_sec != m->seen.st_mtim.tv_sec ||
	       st->st_mtim.tv_nsec != m->seen.st_mtim.tv_nsec;
}

bool perfmap_read(struct perfmap *m)
{
	s64 since = budget_start();
	struct stat st;
	char *text;
	bool more = true;

	if (m->over || fstat(m->fd, &st) || (m->blocked && !has_changed(m, &st)))
		return true;
	if (is_another(m, &st))
		begin_anew(m);
	m->seen = st;
	m->blocked = false;
	text = xmalloc(BLOCK + 1);
	while (more && budget_go_on(&since))
		more = read_block(m, text);
	budget_go_on(&since);
	free(text);
	if (m->over)
		begin_anew(m);                   /* gives the memory back */
	m->whole = !more && !m->over;
	return !more;
}

const struct jitsym *perfmap_at(struct perfmap *m, u64 addr)
{
	return m->whole ? jit_at(m->jit, addr) : NULL;
}

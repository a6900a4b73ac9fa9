/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump.c - jit-PID.dump, in which a process tells what code it makes, moves and drops, with the
 * code itself (linux/tools/perf/Documentation/jitdump-specification.txt).
 *
 * A header, then records that are appended while the process runs.  Only the begin of each is read,
 * not the code.  A record with lines of the source comes before that of its code.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sym/tables.h"

#define DUMP_MAGIC   0x4a695444u         /* "JiTD", in the byte order of the machine */
#define NAME_MOST    1024                /* bytes of a name that are shown */
#define LINES_MOST   (16u << 20)         /* bytes of a record with lines */

enum { CODE_LOAD = 0, CODE_MOVE = 1, CODE_LINES = 2 };

struct dump_header {
	u32 magic, version, size, machine, pad, pid;
	u64 time, flags;
};

struct dump_record {
	u32 id, size;                    /* size: of the whole record */
	u64 time;
};

struct code_load {
	u32 pid, tid;
	u64 vma, addr, size, index;
	char name[];
};

struct code_move {
	u32 pid, tid;
	u64 vma, from, to, size, index;
};

struct code_lines {
	u64 addr, n;
};

/* Then the file with its NUL; "\xff" means that of the line before. */
struct code_line {
	u64 addr;
	u32 line, discrim;
};

/* From `addr` on, of the code that was told as the `order`-th. */
struct dump_line {
	u64 addr;
	u32 order, line;
	const char *file;
};

struct jitdump {
	int fd;
	u64 at;                          /* where the next record begins */
	struct jit *jit;
	struct keytab *names;            /* index of the code → char *, of its function */
	VEC(struct dump_line) lines;     /* by order and address, once sorted */
	bool sorted;
	bool want_lines;
	struct arena *files;
};

struct jitdump *jitdump_open(int fd, bool want_lines)
{
	struct dump_header h;
	struct jitdump *d;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h) || h.magic != DUMP_MAGIC ||
	    h.size < sizeof(h)) {
		close(fd);
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->fd = fd;
	d->at = h.size;
	d->want_lines = want_lines;
	d->jit = jit_new();
	d->files = arena_new();
	d->names = keytab_new(sizeof(u64), sizeof(char *));
	return d;
}

void jitdump_close(struct jitdump *d)
{
	if (!d)
		return;
	for (u32 i = 0; i < keytab_count(d->names); i++)
		free(*(char **)keytab_val(d->names, i));
	keytab_free(d->names);
	jit_free(d->jit);
	VEC_FREE(&d->lines);
	arena_free(d->files);
	close(d->fd);
	free(d);
}

static void take_load(struct jitdump *d, const struct code_load *c)
{
	char **name = keytab_put(d->names, &c->index);

	free(*name);
	*name = xstrdup(c->name);
	jit_add(d->jit, c->addr, c->size, c->name);
}

static void take_move(struct jitdump *d, const struct code_move *c)
{
	char **name = keytab_get(d->names, &c->index);

	if (name)
		jit_add(d->jit, c->to, c->size, *name);
}

/* ---- lines ------------------------------------------------------------------------------ */

static void add_lines(struct jitdump *d, const char *p, const char *end, u64 n)
{
	const char *file = NULL, *nul;
	struct code_line c;

	for (; n && (size_t)(end - p) > sizeof(c); n--, p = nul + 1) {
		memcpy(&c, p, sizeof(c));
		p += sizeof(c);
		nul = memchr(p, '\0', end - p);
		if (!nul)
			return;
		if (strcmp(p, "\xff"))
			file = arena_strdup(d->files, p);
		struct dump_line to = { c.addr, jit_count(d->jit), c.line, file };
		if (file)
			VEC_PUSH(&d->lines, to);
	}
	d->sorted = false;
}

static void take_lines(struct jitdump *d, const struct code_lines *c, u64 size)
{
	size_t left = size - sizeof(struct dump_record) - sizeof(*c);
	u64 at = d->at + sizeof(struct dump_record) + sizeof(*c);
	char *text;

	if (!d->want_lines || size > LINES_MOST)
		return;
	text = xmalloc(left);
	if (pread(d->fd, text, left, (off_t)at) == (ssize_t)left)
		add_lines(d, text, text + left, c->n);
	free(text);
}

static int line_cmp(const void *pa, const void *pb)
{
	const struct dump_line *a = pa, *b = pb;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->addr != b->addr ? (a->addr < b->addr ? -1 : 1) : 0;
}

u32 jitdump_line(struct jitdump *d, u64 addr, const char **file)
{
	const struct jitsym *s = d->lines.n ? jit_at(d->jit, addr) : NULL;
	u32 at;

	if (!s)
		return 0;
	if (!d->sorted)
		qsort(d->lines.v, d->lines.n, sizeof(*d->lines.v), line_cmp);
	d->sorted = true;
	at = BISECT(i, d->lines.n, d->lines.v[i].order > s->order ||
				   (d->lines.v[i].order == s->order && d->lines.v[i].addr > addr));
	if (!at-- || d->lines.v[at].order != s->order)
		return 0;
	*file = d->lines.v[at].file;
	return d->lines.v[at].line;
}

/* ---- reading ----------------------------------------------------------------------------- */

/* `body`: what follows the struct dump_record, `len` bytes, then a NUL. */
static void take_record(struct jitdump *d, const struct dump_record *r, const void *body,
			size_t len)
{
	u32 id = r->id;

	if (id == CODE_LOAD && len >= sizeof(struct code_load))
		take_load(d, body);
	else if (id == CODE_MOVE && len >= sizeof(struct code_move))
		take_move(d, body);
	else if (id == CODE_LINES && len >= sizeof(struct code_lines))
		take_lines(d, body, r->size);
}

void jitdump_read(struct jitdump *d)
{
	struct {
		struct dump_record head;
		char body[sizeof(struct code_load) + NAME_MOST];
	} r;
	struct stat st;
	ssize_t got;
	u64 end = fstat(d->fd, &st) ? 0 : (u64)st.st_size;

	while (d->at < end) {
		got = pread(d->fd, &r, sizeof(r) - 1, (off_t)d->at);
		if (got < (ssize_t)sizeof(r.head) || r.head.size < sizeof(r.head) ||
		    r.head.size > end - d->at)
			return;                  /* not written yet, or damaged */
		got = MIN((u64)got, (u64)r.head.size) - sizeof(r.head);
		r.body[got] = '\0';
		take_record(d, &r.head, r.body, (size_t)got);
		d->at += r.head.size;
	}
}

const struct jitsym *jitdump_at(struct jitdump *d, u64 addr)
{
	return jit_at(d->jit, addr);
}

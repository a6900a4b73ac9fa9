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

#include "runtime/stack/stack-private.h"

#define DUMP_MAGIC   0x4a695444u         /* "JiTD", in the byte order of the machine */
#define KIND         "the jitdump"
#define FILE_MOST    (128ull << 20)      /* bytes that are read of one */
#define PATIENCE     1024                /* records between looks at the clock */
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
	u32 pid;
	u64 at;                          /* where the next record begins */
	u64 bytes;                       /* that were read */
	bool over;                       /* it is too large: it is not read any more */
	bool whole;                      /* it was read to its end: names are what was told last */
	struct jit *jit;
	struct keytab *names;            /* index of the code → const char *, of its function */
	VEC(struct dump_line) lines;     /* by order and address, once sorted */
	bool sorted;
	bool want_lines;
	struct arena *files;
};

struct jitdump *jitdump_open(int fd, u32 pid, bool want_lines)
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
	d->pid = pid;
	d->at = h.size;
	d->whole = true;
	d->want_lines = want_lines;
	d->jit = jit_new(KIND, pid);
	d->files = arena_new();
	d->names = keytab_new(sizeof(u64), sizeof(char *));
	return d;
}

void jitdump_close(struct jitdump *d)
{
	if (!d)
		return;
	keytab_free(d->names);
	jit_free(d->jit);
	VEC_FREE(&d->lines);
	arena_free(d->files);
	close(d->fd);
	free(d);
}

/* false: there is no room for more. */
static bool take_load(struct jitdump *d, const struct code_load *c)
{
	const char *name = jit_name(d->jit, c->name);

	if (!name || !jit_room(d->jit, 4 * sizeof(u64)))         /* of the table of names */
		return false;
	*(const char **)keytab_put(d->names, &c->index) = name;
	return jit_add(d->jit, c->addr, c->size, name);
}

static bool take_move(struct jitdump *d, const struct code_move *c)
{
	const char **name = keytab_get(d->names, &c->index);

	return !name || jit_add(d->jit, c->to, c->size, *name);
}

/* ---- lines ------------------------------------------------------------------------------ */

static bool add_lines(struct jitdump *d, const char *p, const char *end, u64 n)
{
	const char *file = NULL, *nul;
	struct code_line c;

	for (; n && (size_t)(end - p) > sizeof(c); n--, p = nul + 1) {
		memcpy(&c, p, sizeof(c));
		p += sizeof(c);
		nul = memchr(p, '\0', end - p);
		if (!nul)
			return true;
		if (strcmp(p, "\xff") && !jit_room(d->jit, (u64)(nul - p) + 1))
			return false;
		if (strcmp(p, "\xff"))
			file = arena_strdup(d->files, p);
		struct dump_line to = { c.addr, jit_count(d->jit), c.line, file };
		if (file && !jit_room(d->jit, 2 * sizeof(to)))
			return false;
		if (file)
			VEC_PUSH(&d->lines, to);
	}
	d->sorted = false;
	return true;
}

static bool take_lines(struct jitdump *d, const struct code_lines *c, u64 size)
{
	size_t left = size - sizeof(struct dump_record) - sizeof(*c);
	u64 at = d->at + sizeof(struct dump_record) + sizeof(*c);
	char *text;
	bool room = true;

	if (!d->want_lines || size > LINES_MOST)
		return true;
	if (!budget_read(left))
		return false;
	text = xmalloc(left);
	d->bytes += left;
	if (pread(d->fd, text, left, (off_t)at) == (ssize_t)left)
		room = add_lines(d, text, text + left, c->n);
	free(text);
	return room;
}

static int line_cmp(const void *pa, const void *pb)
{
	const struct dump_line *a = pa, *b = pb;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->addr != b->addr ? (a->addr < b->addr ? -1 : 1) : 0;
}

const struct jitsym *jitdump_at(struct jitdump *d, u64 addr)
{
	return d->whole && !d->over ? jit_at(d->jit, addr) : NULL;
}

u32 jitdump_line(struct jitdump *d, u64 addr, const char **file)
{
	const struct jitsym *s = d->lines.n ? jitdump_at(d, addr) : NULL;
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

struct record {
	struct dump_record head;
	char body[sizeof(struct code_load) + JIT_NAME_MOST + 8]; /* the begin of it, and a NUL */
};

/* len: bytes of the body that were read.  false: there is no room for more. */
static bool take_record(struct jitdump *d, const struct record *r, size_t len)
{
	const void *body = r->body;
	u32 id = r->head.id;

	if (id == CODE_LOAD && len >= sizeof(struct code_load))
		return take_load(d, body);
	if (id == CODE_MOVE && len >= sizeof(struct code_move))
		return take_move(d, body);
	if (id == CODE_LINES && len >= sizeof(struct code_lines))
		return take_lines(d, body, r->head.size);
	return true;
}

/* false: the next record is not written yet, or damaged, or is not read any more. */
static bool read_record(struct jitdump *d, u64 end)
{
	struct record r;
	ssize_t got = pread(d->fd, &r, sizeof(r) - 1, (off_t)d->at);
	size_t len;

	if (got < (ssize_t)sizeof(r.head) || r.head.size < sizeof(r.head) ||
	    r.head.size > end - d->at)
		return false;
	len = MIN((u64)got, (u64)r.head.size) - sizeof(r.head);
	r.body[len] = '\0';
	d->bytes += (u64)got;
	d->over = d->bytes > FILE_MOST || !budget_read((u64)got) || !take_record(d, &r, len);
	d->at += r.head.size;
	return !d->over;
}

bool jitdump_read(struct jitdump *d)
{
	struct stat st;
	u64 end = d->over || fstat(d->fd, &st) ? 0 : (u64)st.st_size;
	s64 since = budget_start();
	bool more = true, now = true;    /* now: there is time */

	for (u32 n = 0; d->at < end && more; n++) {
		if (n % PATIENCE == 0)
			now = budget_go_on(&since);
		d->whole = now;
		if (!now)
			return false;
		more = read_record(d, end);
	}
	if (d->over && end)
		budget_refuse(KIND " of process %u", d->pid);
	budget_go_on(&since);
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump.c - jit-PID.dump, in which a process tells what code it makes, moves and drops, with the
 * code itself (linux/tools/perf/Documentation/jitdump-specification.txt).
 *
 * A header, then records that are appended while the process runs.  Only the begin of each is read,
 * not the code.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/sym/tables.h"

#define DUMP_MAGIC   0x4a695444u         /* "JiTD", in the byte order of the machine */
#define NAME_MOST    1024                /* bytes of a name that are shown */

enum { CODE_LOAD = 0, CODE_MOVE = 1 };

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

struct jitdump {
	int fd;
	u64 at;                          /* where the next record begins */
	struct jit *jit;
	struct keytab *names;            /* index of the code → char *, of its function */
};

struct jitdump *jitdump_open(int fd)
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
	d->jit = jit_new();
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

/* `body`: what follows the struct dump_record, `len` bytes, then a NUL. */
static void take_record(struct jitdump *d, u32 id, const void *body, size_t len)
{
	if (id == CODE_LOAD && len >= sizeof(struct code_load))
		take_load(d, body);
	else if (id == CODE_MOVE && len >= sizeof(struct code_move))
		take_move(d, body);
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
		take_record(d, r.head.id, r.body, (size_t)got);
		d->at += r.head.size;
	}
}

const struct jitsym *jitdump_at(struct jitdump *d, u64 addr)
{
	return jit_at(d->jit, addr);
}

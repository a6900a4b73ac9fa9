/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindput.c - puts unwind tables into the kernel: each is a map of chunks, in a map of maps.
 *
 * After an update of a map of maps the call waits until no program uses the old map, 10 ms and more
 * (kernel/bpf/syscall.c, maybe_wait_bpf_programs()): a thread waits, and stacks have the table as
 * soon as it is there.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/unwind.h>

#include "runtime/load/load.h"
#include "runtime/run/run.h"
#include "runtime/unwind/unwind.h"

#define PUTS          16
#define PUT_LOOKS     500                /* before it sleeps between them: some 200 us */

static int table_write(int fd, const struct unwind_table *t)
{
	for (u32 i = 0; i < t->nchunks; i++)
		if (bpf_map_update_elem(fd, &i, t->words + (size_t)i * DTX_UW_CHUNK_WORDS, BPF_ANY))
			return -errno;
	return bpf_map_freeze(fd) ? -errno : 0;
}

/* A table whose update may still wait. */
struct put {
	pthread_t thread;
	bool started;
	int tables, fd;
	u32 number, id;                  /* id: the kernel's, of the table */
	atomic_bool done;
	int err;                         /* when done */
};

static void *put_run(void *arg)
{
	struct put *p = arg;

	p->err = bpf_map_update_elem(p->tables, &p->number, &p->fd, BPF_ANY) ? -errno : 0;
	p->done = true;
	return NULL;
}

/* Waits until it can be used again. */
static void put_end(struct put *p)
{
	if (!p->started)
		return;
	pthread_join(p->thread, NULL);
	close(p->fd);                    /* dtx_tables keeps it */
	p->started = false;
}

/* Until the table is seen; 0 or -errno. */
static int put_begin(struct put *p)
{
	const struct timespec pause = { .tv_nsec = 20000 };
	u32 id = 0;

	p->done = false;
	if (thread_start(&p->thread, put_run, p)) {
		put_run(p);
		close(p->fd);
		return p->err;
	}
	p->started = true;
	/* It has to run at once, for some microseconds, also where all CPUs are busy. */
	pthread_setschedparam(p->thread, SCHED_FIFO, &(struct sched_param){ 1 });
	for (u32 i = 0; !p->done && (bpf_map_lookup_elem(p->tables, &p->number, &id) ||
				     id != p->id); i++)
		if (i >= PUT_LOOKS)
			nanosleep(&pause, NULL);
	return p->done ? p->err : 0;
}

struct tableputs {
	int tables;
	struct put v[PUTS];
};

int tableputs_map(u32 nchunks)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = LOAD_TABLE_FLAGS);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "dtx_table", 4, DTX_UW_CHUNK_BYTES, nchunks,
			      &opts);
}

int tableputs_put(struct tableputs *ps, u32 number, int fd)
{
	struct bpf_map_info info = { 0 };
	u32 len = sizeof(info);
	struct put *p = &ps->v[number % PUTS];

	if (bpf_obj_get_info_by_fd(fd, &info, &len)) {
		int err = -errno;

		close(fd);
		return err;
	}
	put_end(p);
	p->tables = ps->tables;
	p->number = number;
	p->id = info.id;
	p->fd = fd;
	return put_begin(p);
}

int tableputs_table(struct tableputs *ps, u32 number, const struct unwind_table *t)
{
	int fd = tableputs_map(t->nchunks), err = fd < 0 ? -errno : table_write(fd, t);

	if (!err)
		return tableputs_put(ps, number, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

void tableputs_drop(struct tableputs *ps, u32 number)
{
	put_end(&ps->v[number % PUTS]);
	bpf_map_delete_elem(ps->tables, &number);
}

struct tableputs *tableputs_new(int tables)
{
	struct tableputs *ps = xcalloc(1, sizeof(*ps));

	ps->tables = tables;
	return ps;
}

void tableputs_free(struct tableputs *ps)
{
	for (u32 i = 0; i < PUTS; i++)
		put_end(&ps->v[i]);
	free(ps);
}

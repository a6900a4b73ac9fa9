/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindmap.c - unwind tables (dtx/unwind.h) in the kernel: each is a map of chunks, and programs
 * find it by its number in the map dtx_tables.
 *
 * The table of a large file is made by parts (unwind/unwindpart.c), of the pages that programs ask
 * for; its map is written in place, and replaced by a larger one when it is full.  A stack that
 * misses one page will miss its callers', too: words of the stack that may be return addresses tell
 * which.
 * What is not asked for takes no memory here: neither the file nor the map stays mapped.
 * Each miss earns further parts: where stacks pass widely, the whole is soon there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/base.h>
#include <dtx/opt.h>
#include <dtx/stack.h>
#include <dtx/unwind.h>

#include "runtime/code/safe/budget.h"
#include "runtime/code/codefile.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/unwind/unwind.h"

#define VDSO_BYTES    8192
#define PUTS          16
#define LARGE         (256u << 10)       /* bytes: tables below are made at once, in 5 ms */
#define PUT_LOOKS     500                /* before it sleeps between them: some 200 us */
#define MIB           (1024 * 1024)
#define FOLLOW_MOST   (256u << 10)       /* bytes of a stack that are looked at */
#define FOLLOW_MAPS   64                 /* mappings of large files in a process */
#define EARNED        4                  /* parts for each miss, times the misses so far */
#define FIRST_LEAST   (128u << 10)       /* bytes of a map that parts are put in */
#define FIRST_MOST    (1u << 20)
#define FIRST_SHARE   64                 /* of the file */

/* A table that is made by parts. */
struct large {
	struct unwindmaps *of;
	struct dtx_objkey key;
	char *path;
	struct unwind_parts *parts;
	u32 number;
	int fd;                          /* of the map; -1: not yet */
	void *words;                     /* of the map, in memory; NULL: not now */
	u64 bytes;
	u32 misses, due;                 /* due: further parts that they have earned */
	bool used;                       /* since unwindmaps_rest() */
};

struct unwindmaps {
	struct dtx_session *s;
	int tables;
	u32 next;                        /* number of the next table */
	u64 bytes;                       /* of all tables */
	u32 left_out;                    /* tables for which there is no room */
	bool by_parts;                   /* programs ask for what is missing */
	struct put *puts;                /* PUTS tables whose update may still wait */
	VEC(struct large *) large;
};

/* ---- maps ------------------------------------------------------------------------------------ */

static int table_write(int fd, const struct unwind_table *t)
{
	for (u32 i = 0; i < t->nchunks; i++)
		if (bpf_map_update_elem(fd, &i, t->words + (size_t)i * DTX_UW_CHUNK_WORDS, BPF_ANY))
			return -errno;
	return bpf_map_freeze(fd) ? -errno : 0;
}

/*
 * After an update of a map of maps the call waits until no program uses the old map, 10 ms and more
 * (kernel/bpf/syscall.c, maybe_wait_bpf_programs()): a thread waits, and stacks have the table as
 * soon as it is there.
 */
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

static int chunks_new(u32 nchunks)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = LOAD_TABLE_FLAGS);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "dtx_table", 4, DTX_UW_CHUNK_BYTES, nchunks,
			      &opts);
}

/* Puts the map of a table under this number, and closes it; 0 or -errno. */
static int chunks_put(struct unwindmaps *m, u32 number, int fd)
{
	struct bpf_map_info info = { 0 };
	u32 len = sizeof(info);
	struct put *p = &m->puts[number % PUTS];

	if (bpf_obj_get_info_by_fd(fd, &info, &len)) {
		int err = -errno;

		close(fd);
		return err;
	}
	put_end(p);
	p->tables = m->tables;
	p->number = number;
	p->id = info.id;
	p->fd = fd;
	return put_begin(p);
}

static int table_put(struct unwindmaps *m, u32 number, const struct unwind_table *t)
{
	int fd = chunks_new(t->nchunks), err = fd < 0 ? -errno : table_write(fd, t);

	if (!err)
		return chunks_put(m, number, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

/* Is there room for a table, or for so many bytes more of one? */
static bool has_room(struct unwindmaps *m, u64 more, u32 number, const char *of)
{
	u64 most = opt_num(m->s->env, OPT_unwindsize);

	if (m->bytes + more <= most && number < DTX_TABLES_MAX)
		return true;
	if (!m->left_out++)
		consumer_tell(m->s->con, MESSAGE(DTX_NOTICE, DTX_WARNING),
			      "unwind tables fill %llu MB: without one, stacks through %s "
			      "and others follow frame pointers (option unwindsize)",
			      (unsigned long long)m->bytes / MIB, of);
	return false;
}

u32 unwindmaps_put(struct unwindmaps *m, const struct unwind_table *t, const char *of, u32 old,
		   u64 old_bytes)
{
	u32 number = old == DTX_TABLE_NONE ? m->next : old;
	u64 bytes = unwind_size(t);

	if (!has_room(m, bytes - old_bytes, number, of) || table_put(m, number, t))
		return DTX_TABLE_NONE;
	m->next += number == m->next;
	m->bytes += bytes - old_bytes;
	return number;
}

/* ---- large files ----------------------------------------------------------------------------- */

static void close_any(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* The bytes of the next map: as many as are wanted, or as are needed if there is no more room. */
static u64 next_size(const struct large *l, u32 words, u32 wanted)
{
	u64 most = (u64)opt_num(l->of->s->env, OPT_unwindsize);
	u64 needed = ALIGN_UP(words * 4ull, DTX_UW_CHUNK_BYTES);
	u64 next = l->fd >= 0 ? wanted * 4ull : MAX(needed, l->bytes);

	return l->of->bytes + next - (l->fd >= 0 ? l->bytes : 0) <= most ? next : needed;
}

static void *chunks_mapped(u64 bytes, int fd)
{
	void *at = fd < 0 ? MAP_FAILED :
		   mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* The table moves to a larger map. */
static u32 *large_more(void *arg, u32 words, u32 *room)
{
	struct large *l = arg;
	struct unwindmaps *m = l->of;
	u64 before = l->fd >= 0 ? l->bytes : 0, bytes = next_size(l, words, *room);
	void *at = NULL;
	int fd, own;

	if (!has_room(m, bytes - before, l->number, l->path))
		return NULL;
	fd = chunks_new((u32)(bytes / DTX_UW_CHUNK_BYTES));
	own = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	at = chunks_mapped(bytes, own);
	if (!at) {
		close_any(fd);
		close_any(own);
		return NULL;
	}
	if (l->words) {
		memcpy(at, l->words, before);
		munmap(l->words, before);
		close(l->fd);
	}
	l->fd = own;
	l->words = at;
	l->bytes = bytes;
	m->bytes += bytes - before;
	*room = (u32)(bytes / 4);
	chunks_put(m, l->number, fd);    /* if it fails, what is made from now on is not seen */
	return at;
}

/* Its map is in memory again; false: it cannot be. */
static bool large_wake(struct large *l)
{
	l->used = true;
	if (l->words)
		return true;
	l->words = chunks_mapped(l->bytes, l->fd);
	if (l->words)
		unwind_parts_moved(l->parts, l->words);
	return l->words;
}

static bool large_part(struct large *l, u64 page)
{
	return large_wake(l) && unwind_part(l->parts, page);
}

static bool large_any(struct large *l)
{
	return large_wake(l) && unwind_part_any(l->parts);
}

void unwindmaps_rest(struct unwindmaps *m)
{
	for (u32 i = 0; m && i < m->large.n; i++) {
		struct large *l = m->large.v[i];

		if (!l->used && l->words) {
			munmap(l->words, l->bytes);
			l->words = NULL;
		}
		if (l->used)
			unwind_parts_rest(l->parts);
		l->used = false;
	}
}

static void large_free(struct large *l)
{
	unwind_parts_free(l->parts);
	if (l->words)
		munmap(l->words, l->bytes);
	close_any(l->fd);
	free(l->path);
	free(l);
}

/* NULL: the file's table is made at once. */
static struct large *large_new(struct unwindmaps *m, const struct dtx_objkey *key, int fd,
			       const char *path)
{
	struct large *l = xcalloc(1, sizeof(*l));
	const struct unwind_room room = { large_more, l, LARGE };
	u64 first = (u64)MAX(key->size, 0) / FIRST_SHARE;

	l->of = m;
	l->fd = -1;
	l->key = *key;
	l->path = xstrdup(path);
	l->number = m->next;
	l->bytes = ALIGN_UP(MIN(MAX(first, FIRST_LEAST), FIRST_MOST), DTX_UW_CHUNK_BYTES);
	l->parts = unwind_parts_open(fd, path, &room);
	if (l->parts) {
		m->next++;
		VEC_PUSH(&m->large, l);
		return l;
	}
	if (l->fd >= 0) {
		m->bytes -= l->bytes;
		bpf_map_delete_elem(m->tables, &l->number);
	}
	large_free(l);
	return NULL;
}

static void *make_table(int fd, const char *path)
{
	const char *why;

	return unwind_read(fd, path, &why);
}

static void drop_table(void *table)
{
	unwind_free(table);
}

u32 unwindmaps_file(struct unwindmaps *m, const struct dtx_objkey *key, struct codefile *file)
{
	int fd = file ? codefile_fd(file) : -1;
	const char *path = file ? codefile_path(file) : NULL;
	struct large *l = m && fd >= 0 && m->by_parts ? large_new(m, key, fd, path) : NULL;
	enum aside how;
	struct unwind_table *t = l || !m || fd < 0 ? NULL :
				 aside_file(fd, path, make_table, drop_table, &how);
	u32 number = l ? l->number : DTX_TABLE_NONE;

	if (t)
		number = unwindmaps_put(m, t, path, DTX_TABLE_NONE, 0);
	unwind_free(t);
	return number;
}

static struct large *large_of(const struct unwindmaps *m, u32 number)
{
	for (u32 i = 0; m && i < m->large.n; i++)
		if (m->large.v[i]->number == number)
			return m->large.v[i];
	return NULL;
}

void unwindmaps_fill(struct unwindmaps *m, u32 number)
{
	struct large *l = large_of(m, number);

	while (l && large_any(l))
		;
}

/* ---- what programs ask for ------------------------------------------------------------------- */

/* The mappings of large files in a process, and the rest of the stack. */
struct following {
	const struct unwindmaps *m;
	u64 sp, stack_end;
	u32 n;
	struct { u64 start, end, off; struct large *of; } at[FOLLOW_MAPS];
};

static bool follow_mapped(void *arg, struct proc_map *map)
{
	struct following *f = arg;

	if (f->sp - map->start < map->end - map->start)
		f->stack_end = map->end;
	for (u32 i = 0; map->code && map->inode && i < f->m->large.n && f->n < FOLLOW_MAPS; i++) {
		struct large *l = f->m->large.v[i];

		if (l->key.ino != map->inode || l->key.dev != (map->major << 20 | map->minor))
			continue;
		f->at[f->n].start = map->start;
		f->at[f->n].end = map->end;
		f->at[f->n].off = map->off;
		f->at[f->n++].of = l;
	}
	return true;
}

static void follow_word(const struct following *f, u64 word)
{
	for (u32 i = 0; i < f->n; i++) {
		u64 off = word - 1 - f->at[i].start;

		if (off < f->at[i].end - f->at[i].start)
			large_part(f->at[i].of,
				   (off + f->at[i].off) >> DTX_UW_PAGE_SHIFT);
	}
}

void unwindmaps_follow(struct unwindmaps *m, u32 pid, u64 sp)
{
	struct following f = { .m = m, .sp = sp & ~7ull };
	u64 len, *words;
	ssize_t got;

	if (!m || !m->large.n)
		return;
	procmap_each(pid, follow_mapped, &f);
	len = f.n && f.stack_end > f.sp ? MIN(f.stack_end - f.sp, FOLLOW_MOST) : 0;
	if (!len)
		return;
	words = xmalloc(len);
	got = process_vm_readv((pid_t)pid, &(struct iovec){ words, len }, 1,
			       &(struct iovec){ (void *)f.sp, len }, 1, 0);
	for (ssize_t i = 0; i < got / (ssize_t)sizeof(*words); i++)
		follow_word(&f, words[i]);
	free(words);
}

void unwindmaps_ask(struct unwindmaps *m, const struct dtx_sight *s)
{
	struct large *l = large_of(m, (u32)s->start);

	if (!l || !large_part(l, s->end))
		return;
	l->due += EARNED * ++l->misses;
	unwindmaps_follow(m, s->pid, s->sp);
}

bool unwindmaps_more(struct unwindmaps *m)
{
	for (u32 i = 0; m && i < m->large.n; i++) {
		struct large *l = m->large.v[i];

		if (!l->due)
			continue;
		l->due = large_any(l) ? l->due - 1 : 0;
		return true;
	}
	return false;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Its table is made by the numbers of the first of its kind: one for the machine. */
static void table_vdso(struct unwindmaps *m)
{
	unsigned long base = getauxval(AT_SYSINFO_EHDR);
	const char *why;
	struct unwind_table *t;
	void *copy;

	if (!base)
		return;
	copy = xmalloc(VDSO_BYTES);
	memcpy(copy, (const void *)base, VDSO_BYTES);
	t = unwind_memory(copy, VDSO_BYTES, &why);
	if (t)
		table_put(m, DTX_TABLE_VDSO, t);
	unwind_free(t);
	free(copy);
}

struct unwindmaps *unwindmaps_new(struct dtx_session *s)
{
	int tables = load_map_fd(&s->ld, "dtx_tables");
	struct unwindmaps *m;

	if (tables < 0)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->s = s;
	m->tables = tables;
	m->next = DTX_TABLE_FIRST;
	m->by_parts = load_map_fd(&s->ld, "dtx_asked") >= 0;
	m->puts = xcalloc(PUTS, sizeof(*m->puts));
	table_vdso(m);
	return m;
}

void unwindmaps_free(struct unwindmaps *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < PUTS; i++)
		put_end(&m->puts[i]);
	for (u32 i = 0; i < m->large.n; i++)
		large_free(m->large.v[i]);
	VEC_FREE(&m->large);
	free(m->puts);
	free(m);
}

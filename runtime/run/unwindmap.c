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
 * Files come and go (compilers, tests): tables of those that no process has mapped any more are
 * freed when room is short.  A number is never given out again, so what programs still know of a
 * table that is gone leads to none.
 * Each miss earns further parts: where stacks pass widely, the whole is soon there.
 */
#include <errno.h>
#include <fcntl.h>
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
#include <dtx/tables/maprole.h>

#include "runtime/code/safe/budget.h"
#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/unwind/unwind.h"
#include "runtime/kernel/kernel.h"

#define VDSO_BYTES    8192
#define LARGE         (256u << 10)       /* bytes: tables below are made at once, in 5 ms */
#define MIB           (1024 * 1024)
#define FOLLOW_MOST   (256u << 10)       /* bytes of a stack that are looked at */
#define FOLLOW_MAPS   64                 /* mappings of large files in a process */
#define EARNED        16                 /* parts for each miss, times the misses so far */
#define FIRST_LEAST   (128u << 10)       /* bytes of a map that parts are put in */
#define FIRST_MOST    (1u << 20)
#define FIRST_SHARE   64                 /* of the file */
#define AWAKE_MOST    (12u << 20)        /* bytes of maps that stay in memory from stack to stack */
#define GROUP_PART    4                  /* in a memory group: its share for tables */
#define GROUP_LEAST   (40ull << 20)      /* bytes for what grows that are enough … */
#define GROUP_WHOLE   (48ull << 20)      /* … of a group of so many */
#define FREE_SHARE    8                  /* tables are freed when they fill all but this */
#define FREE_PERIOD   1000000000ll       /* ns between looks for files that are gone … */
#define FREE_MOST     64                 /* … and at most so many of them, while none is */

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

/* The table of a file. */
struct made {
	struct dtx_objkey key;
	u32 number;                      /* DTX_TABLE_NONE: there was no room for it */
	u64 bytes;                       /* 0: a large one knows */
	bool gone;                       /* no process has its file mapped */
	bool again;                      /* … and the number of its inode is another file's now */
};

struct unwindmaps {
	struct dtx_session *s;
	struct tableputs *puts;
	int objects;                     /* the map of files */
	u32 next;                        /* number of the next table */
	u64 bytes, most;                 /* of all tables */
	u64 awake;                       /* bytes of maps that are in memory */
	VEC(struct made) made;
	s64 looked;                      /* when files were last looked for that are gone, ns */
	u32 patience;                    /* periods until the next time */
	u32 left_out;                    /* tables for which there is no room … */
	u32 looked_for;                  /* … when files were last looked for that are gone */
	bool by_parts;                   /* programs ask for what is missing */
	VEC(struct large *) large;
};

/* ---- room ------------------------------------------------------------------------------------ */

/* Is there room for a table, or for so many bytes more of one? */
static bool has_room(struct unwindmaps *m, u64 more, u32 number, const char *of)
{
	if (m->bytes + more <= m->most && number < DTX_TABLES_MAX)
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

	if (!has_room(m, bytes - old_bytes, number, of) || tableputs_table(m->puts, number, t))
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
	u64 needed = ALIGN_UP(words * 4ull, DTX_UW_CHUNK_BYTES);
	u64 next = l->fd >= 0 ? wanted * 4ull : MAX(needed, l->bytes);

	return l->of->bytes + next - (l->fd >= 0 ? l->bytes : 0) <= l->of->most ? next : needed;
}

static void *chunks_mapped(u64 bytes, int fd)
{
	void *at = fd < 0 ? MAP_FAILED :
		   mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void large_sleep(struct large *l)
{
	if (!l->words)
		return;
	munmap(l->words, l->bytes);
	l->words = NULL;
	l->of->awake -= l->bytes;
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
	fd = tableputs_map((u32)(bytes / DTX_UW_CHUNK_BYTES));
	own = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	at = chunks_mapped(bytes, own);
	if (!at) {
		close_any(fd);
		close_any(own);
		return NULL;
	}
	if (l->words) {
		memcpy(at, l->words, before);
		large_sleep(l);
		close(l->fd);
	}
	l->fd = own;
	l->words = at;
	l->bytes = bytes;
	m->bytes += bytes - before;
	m->awake += bytes;
	*room = (u32)(bytes / 4);
	tableputs_put(m->puts, l->number, fd);   /* if it fails, what is made is not seen */
	return at;
}

/* Its map is in memory again; false: it cannot be. */
static bool large_wake(struct large *l)
{
	l->used = true;
	if (l->words)
		return true;
	l->words = chunks_mapped(l->bytes, l->fd);
	if (!l->words)
		return false;
	l->of->awake += l->bytes;
	unwind_parts_moved(l->parts, l->words);
	return true;
}

static bool large_part(struct large *l, u64 page)
{
	return large_wake(l) && unwind_part(l->parts, page);
}

static bool large_any(struct large *l)
{
	return large_wake(l) && unwind_part_any(l->parts);
}

static void rest_some(struct unwindmaps *m)
{
	for (u32 i = 0; m->awake > AWAKE_MOST && i < m->large.n; i++)
		large_sleep(m->large.v[i]);
}

void unwindmaps_rest(struct unwindmaps *m)
{
	for (u32 i = 0; m && i < m->large.n; i++) {
		struct large *l = m->large.v[i];

		if (!l->used)
			large_sleep(l);
		if (l->used)
			unwind_parts_rest(l->parts);
		l->used = false;
	}
}

static void large_free(struct large *l)
{
	unwind_parts_free(l->parts);
	large_sleep(l);
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
		tableputs_drop(m->puts, l->number);
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

static u32 file_table(struct unwindmaps *m, const struct dtx_objkey *key, int fd,
		      const char *path, u64 *bytes)
{
	struct large *l = m->by_parts ? large_new(m, key, fd, path) : NULL;
	u32 number = DTX_TABLE_NONE;
	struct unwind_table *t;
	enum aside how;

	if (l)
		return l->number;
	t = aside_file(fd, path, make_table, drop_table, &how);
	*bytes = t ? unwind_size(t) : 0;
	if (t)
		number = unwindmaps_put(m, t, path, DTX_TABLE_NONE, 0);
	unwind_free(t);
	return number;
}

static struct made *made_of(struct unwindmaps *m, const struct dtx_objkey *key)
{
	for (u32 i = 0; i < m->made.n; i++)
		if (!memcmp(&m->made.v[i].key, key, sizeof(*key)))
			return &m->made.v[i];
	return NULL;
}

u32 unwindmaps_file(struct unwindmaps *m, const struct dtx_objkey *key, struct codefile *file)
{
	int fd = file ? codefile_fd(file) : -1;
	struct made made = { .key = *key }, *old = m ? made_of(m, key) : NULL;
	u32 left_out;

	if (old)
		return old->number;      /* two programs have told of it */
	if (!m || fd < 0)
		return DTX_TABLE_NONE;
	left_out = m->left_out;
	made.number = file_table(m, key, fd, codefile_path(file), &made.bytes);
	if (made.number != DTX_TABLE_NONE || m->left_out != left_out)
		VEC_PUSH(&m->made, made);
	return made.number;
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

/* ---- files that are gone --------------------------------------------------------------------- */

/* Files that are mapped, in any process. */
struct mapped_file {
	u64 dev, ino;
};

static bool note_mapped(void *arg, struct proc_map *map)
{
	struct mapped_file f = { map->major << 20 | map->minor, map->inode };

	if (map->inode && map->code)     /* this process has mapped them, too, but not as code */
		keytab_put(arg, &f);
	return true;
}

static bool note_process(void *arg, u32 pid)
{
	procmap_each(pid, note_mapped, arg);
	return true;
}

static struct keytab *mapped_files(void)
{
	struct keytab *t = keytab_new(sizeof(struct mapped_file), 0);

	proc_each(note_process, t);
	return t;
}

static void tell_table(const struct unwindmaps *m, const struct dtx_objkey *key, u32 table)
{
	struct dtx_object o;

	if (bpf_map_lookup_elem(m->objects, key, &o))
		return;
	o.table = table;
	bpf_map_update_elem(m->objects, key, &o, BPF_EXIST);
}

/* One that may be mapped again meanwhile: who looks it up from now on tells of it.  false: none is
 * gone. */
static bool mark_gone(struct unwindmaps *m)
{
	struct keytab *mapped = mapped_files(), *later = keytab_new(sizeof(struct mapped_file), 0);
	bool some = false;

	for (u32 i = m->made.n; i-- > 0;) {
		struct made *t = &m->made.v[i];
		struct mapped_file f = { t->key.dev, t->key.ino };

		/* A number of an inode is given again when nobody has the file mapped. */
		t->again = keytab_get(later, &f);
		t->gone = t->number != DTX_TABLE_NONE && (t->again || !keytab_get(mapped, &f));
		if (t->gone)
			tell_table(m, &t->key, DTX_TABLE_GONE);
		some |= t->gone;
		keytab_put(later, &f);
	}
	keytab_free(mapped);
	keytab_free(later);
	return some;
}

/* The map stays in the kernel until no program reads it. */
static void free_table(struct unwindmaps *m, const struct made *t)
{
	u64 bytes = t->bytes;

	for (u32 i = 0; i < m->large.n; i++) {
		struct large *l = m->large.v[i];

		if (l->number != t->number)
			continue;
		bytes = l->fd >= 0 ? l->bytes : 0;
		large_free(l);
		m->large.v[i] = m->large.v[--m->large.n];
		break;
	}
	tableputs_drop(m->puts, t->number);
	m->bytes -= bytes;
}

/* false: it is mapped again. */
static bool free_made(struct unwindmaps *m, const struct made *t, struct keytab *mapped)
{
	struct mapped_file f = { t->key.dev, t->key.ino };

	if (!t->again && keytab_get(mapped, &f)) {
		tell_table(m, &t->key, t->number);
		return false;
	}
	free_table(m, t);
	return true;
}

/* Those for which there was no room are asked for again. */
static void forget_left_out(struct unwindmaps *m)
{
	u32 kept = 0;

	for (u32 i = 0; i < m->made.n; i++)
		if (m->made.v[i].number == DTX_TABLE_NONE)
			tell_table(m, &m->made.v[i].key, DTX_TABLE_GONE);
		else
			m->made.v[kept++] = m->made.v[i];
	m->made.n = kept;
}

/* Little room is left, or a table did not fit into what is left. */
static bool is_tight(const struct unwindmaps *m)
{
	return m->left_out != m->looked_for || m->bytes >= m->most / FREE_SHARE * (FREE_SHARE - 1);
}

/* Those that are gone, and that no process has mapped meanwhile.  false: none was freed. */
static bool free_marked(struct unwindmaps *m)
{
	struct keytab *mapped = mapped_files();
	u32 kept = 0;
	bool some;

	for (u32 i = 0; i < m->made.n; i++)
		if (!m->made.v[i].gone || !free_made(m, &m->made.v[i], mapped))
			m->made.v[kept++] = m->made.v[i];
	some = kept < m->made.n;
	m->made.n = kept;
	keytab_free(mapped);
	return some;
}

void unwindmaps_free_gone(struct unwindmaps *m)
{
	s64 now = clock_ns(CLOCK_MONOTONIC);
	bool some;

	if (!m || now - m->looked < FREE_PERIOD * m->patience || !is_tight(m))
		return;
	m->looked = now;
	m->looked_for = m->left_out;
	some = mark_gone(m) && free_marked(m);
	if (some)
		forget_left_out(m);
	m->patience = some ? 1 : MIN(MAX(m->patience, 1u) * 2, (u32)FREE_MOST);
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
	rest_some(m);
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
		rest_some(m);
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
		tableputs_table(m->puts, DTX_TABLE_VDSO, t);
	unwind_free(t);
	free(copy);
}

/* In a memory group tables count as maps do: a part of it is theirs. */
static u64 room_of(struct dtx_session *s)
{
	u64 most = opt_num(s->env, OPT_unwindsize), memory;
	bool limited;

	memory = env_memory(&limited);
	if (!limited || opt_is_set(s->env, OPT_unwindsize))
		return most;
	if (memory < GROUP_LEAST)
		diag_warn(&s->env->diags, DIAG_NONE, (struct range){ 0 },
			  "the memory group of dtx allows less than %llu MB: a run with stacks of "
			  "programs may need more, and then the kernel kills dtx without a word",
			  GROUP_WHOLE / MIB);
	return MIN(most, memory / GROUP_PART);
}

struct unwindmaps *unwindmaps_new(struct dtx_session *s)
{
	int tables = load_role_fd(&s->ld, ROLE_tables);
	struct unwindmaps *m;

	if (tables < 0)
		return NULL;
	m = xcalloc(1, sizeof(*m));
	m->s = s;
	m->most = room_of(s);
	m->puts = tableputs_new(tables);
	m->objects = load_role_fd(&s->ld, ROLE_objects);
	m->next = DTX_TABLE_FIRST;
	m->by_parts = load_role_fd(&s->ld, ROLE_asked) >= 0;
	table_vdso(m);
	return m;
}

void unwindmaps_free(struct unwindmaps *m)
{
	if (!m)
		return;
	tableputs_free(m->puts);
	for (u32 i = 0; i < m->large.n; i++)
		large_free(m->large.v[i]);
	VEC_FREE(&m->large);
	VEC_FREE(&m->made);
	free(m);
}

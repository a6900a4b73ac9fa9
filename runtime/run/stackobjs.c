/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackobjs.c - the files that stacks lead to: the programs tell of each when they see it for the
 * first time; it is opened here, so that its frames have names also when the process has ended, and
 * its unwind table is put into the kernel.
 *
 *   dtx_sights   ring of struct dtx_sight    programs ──► here
 *   dtx_objects  file -> number, table       both
 *   dtx_asked    page of a table -> when     programs
 *   dtx_tables   their tables: unwindmap.c
 *   dtx_jvms     process -> compiled Java    both
 *   dtx_jits     code without a file: stackjit.c
 *
 * What a target of -c or -p has mapped is prepared before it goes on.
 * Why: docs/decisions/37-user-stacks.md
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <dtx/base.h>
#include <dtx/stack.h>
#include <dtx/unwind.h>
#include <dtx/env.h>
#include <dtx/tables/maprole.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/run/run.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/text.h"

typedef VEC(struct dtx_sight) sight_list;

struct sights {
	struct dtx_session *s;
	struct ring_buffer *rb;
	int objects, numbers, jvms;
	struct unwindmaps *maps;         /* NULL: tables are not used */
	struct pythons *pythons;         /* NULL: their frames are not wanted */
	struct jits *jits;               /* NULL: tables are not used */
	sight_list wanted_now;           /* files whose tables stacks wait for */
	sight_list later;                /* others of the same processes, without a number yet */
	VEC(u32) pids;                   /* processes whose other files are to be prepared */
	u32 last_pid;                    /* the last stack that led to a new file; 0: followed */
	u64 last_sp;
};

/* ---- files ----------------------------------------------------------------------------------- */

/* whole: before stacks pass there, nothing is left to be asked for. */
static void sight_take(struct sights *g, const struct dtx_sight *s, bool whole)
{
	struct codefile *file = stackfile_add(g->s->env, s);
	struct dtx_object o = { s->number, unwindmaps_file(g->maps, &s->key, file) };

	if (whole)
		unwindmaps_fill(g->maps, o.table);
	bpf_map_update_elem(g->objects, &s->key, &o, BPF_ANY);
	if (file)
		codefile_close(file);    /* unless its symbols are awaited */
}

int sights_fd(const struct sights *g)
{
	return g ? ring_buffer__epoll_fd(g->rb) : -1;
}

/* ---- what a process has mapped --------------------------------------------------------------- */

/* A number for a file that no program has seen; 0: it has one, or there is no room. */
static u32 prepare_number(struct sights *g, const struct dtx_objkey *key)
{
	struct dtx_object o = { 0, DTX_TABLE_MAKING };
	u32 one = 1;

	if (!bpf_map_lookup_elem(g->objects, key, &o))
		return 0;
	for (u32 i = 0; i < DTX_OBJECT_TRIES; i++) {
		o.number = dtx_object_number(key, i);
		if (!bpf_map_update_elem(g->numbers, &o.number, &one, BPF_NOEXIST))
			return bpf_map_update_elem(g->objects, key, &o, BPF_NOEXIST) ? 0 : o.number;
	}
	return 0;
}

/* Small files first: a stack that leads through the C library does not wait for a large program. */
static bool pick_smallest(sight_list *l, struct dtx_sight *s)
{
	u32 least = 0;

	for (u32 i = 1; i < l->n; i++)
		if (l->v[i].key.size < l->v[least].key.size)
			least = i;
	if (!l->n)
		return false;
	*s = l->v[least];
	l->v[least] = l->v[--l->n];
	return true;
}

/* false: there is no file that waits. */
static bool take_later(struct sights *g, bool whole)
{
	struct dtx_sight s;

	if (!pick_smallest(&g->later, &s)) {
		VEC_FREE(&g->later);     /* each has room for a long path */
		return false;
	}
	s.number = prepare_number(g, &s.key);
	if (s.number)
		sight_take(g, &s, whole);
	return true;
}

static bool take_next(struct sights *g)
{
	struct dtx_sight s;

	if (!pick_smallest(&g->wanted_now, &s))
		return take_later(g, false);
	sight_take(g, &s, false);
	unwindmaps_follow(g->maps, s.pid, s.sp);
	g->last_pid = s.pid;
	g->last_sp = s.sp;
	return true;
}

/* Once more, when the other files are known that it leads through. */
static void follow_last(struct sights *g)
{
	if (g->last_pid)
		unwindmaps_follow(g->maps, g->last_pid, g->last_sp);
	g->last_pid = 0;
}

/* Whom the mappings are prepared for. */
struct preparing {
	struct sights *g;
	u32 pid;
};

static void sight_path(struct dtx_sight *s, const char *path)
{
	size_t len = MIN(strlen(path), (size_t)DTX_PATH_MAX - 1);

	s->at = DTX_PATH_MAX - 1 - len;
	memcpy(s->path + s->at, path, len);
}

static bool prepare_mapped(void *arg, struct proc_map *m)
{
	const struct preparing *p = arg;
	struct dtx_sight s = { .pid = p->pid, .start = m->start, .end = m->end };
	struct dtx_object known;
	struct stat st;

	if (m->code && *m->path == '/' && stackfile_key_of(p->pid, m, &s.key, &st) &&
	    bpf_map_lookup_elem(p->g->objects, &s.key, &known)) {
		sight_path(&s, m->path);
		VEC_PUSH(&p->g->later, s);
	}
	return true;
}

/* The mapping that begins at s->start. */
static bool own_mapping(void *arg, struct proc_map *m)
{
	struct dtx_sight *s = arg;

	if (m->start != s->start)
		return true;
	s->end = m->end;
	stackfile_key_mapped(&s->key, NULL, m);
	return false;
}

/* The file of a probe; another name of a file that was prepared is no second one. */
static void prepare_file(struct sights *g, const char *path, int fd)
{
	struct dtx_sight s = { .pid = getpid() };
	void *map = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		return;
	s.start = (u64)map;
	if (strlen(path) < DTX_PATH_MAX && stackfile_key(fd, &s.key)) {
		procmap_each(s.pid, own_mapping, &s);
		s.number = prepare_number(g, &s.key);
		sight_path(&s, path);
		if (s.number)
			sight_take(g, &s, true);
	}
	munmap(map, 1);
}

static void prepare_probed(struct sights *g, const char *path)
{
	char *full = realpath(path, NULL);
	struct codefile *f = full ? codefile_at(g->s->env, full) : NULL;

	if (f && codefile_fd(f) >= 0) {
		prepare_file(g, full, codefile_fd(f));
		codefile_close(f);
	}
	free(full);
}

void sights_prepare_probed(struct sights *g)
{
	const struct img *img = g && g->objects >= 0 ? g->s->img : NULL;
	const char *last = NULL;

	for (u32 i = 0; img && i < img->nprobes; i++) {
		const char *path = img_probe(img, i)->place.target;

		if (path && (!last || strcmp(path, last)))
			prepare_probed(g, path);
		last = path ? path : last;
	}
}

static void gather(struct sights *g, u32 pid)
{
	struct preparing p = { g, pid };

	if (g->objects >= 0)
		procmap_each(pid, prepare_mapped, &p);
}

void sights_prepare(struct sights *g, u32 pid)
{
	if (!g)
		return;
	pythons_prepare(g->pythons, pid);
	gather(g, pid);
	while (take_later(g, true))
		;
}

/* Processes that have ended make room for others. */
static void jvms_forget(struct sights *g)
{
	struct dtx_jvm_key key, next;
	bool some = !bpf_map_get_next_key(g->jvms, NULL, &next);
	char path[32];

	while (some) {
		key = next;
		some = !bpf_map_get_next_key(g->jvms, &key, &next);
		snprintf(path, sizeof(path), "/proc/%u", key.pid);
		if (access(path, F_OK))
			bpf_map_delete_elem(g->jvms, &key);
	}
}

/* Code without a file: its process is asked for names; is it that of a Java virtual machine? */
static void jvm_take(struct sights *g, const struct dtx_sight *s)
{
	struct dtx_jvm_key key = { s->key.ino, s->pid, 0 };
	struct dtx_jvm j;

	usyms_follow(usyms_get(g->s->env), s->pid);
	jvms_forget(g);
	if (g->maps && hotspot_read(g->s->env, s->pid, &j))
		bpf_map_update_elem(g->jvms, &key, &j, BPF_ANY);
}

/* ---- what the programs tell ------------------------------------------------------------------ */

static int sight_sample(void *arg, void *data, size_t size)
{
	struct dtx_sight told = { 0 }, *s = &told;
	struct sights *g = arg;

	if (size < offsetof(struct dtx_sight, sp))       /* images without sp are older */
		return 0;
	memcpy(&told, data, MIN(size, sizeof(told)));
	if (s->number == DTX_SIGHT_PAGE) {
		unwindmaps_ask(g->maps, s);
		return 0;
	}
	if (!s->number) {
		jvm_take(g, s);
		return 0;
	}
	if (s->number == DTX_SIGHT_PYTHON) {
		pythons_answer(g->pythons, s);
		return 0;
	}
	if (s->number == DTX_SIGHT_JIT) {
		jits_answer(g->jits, s);
		return 0;
	}
	VEC_PUSH(&g->wanted_now, *s);
	if (!g->pids.n || g->pids.v[g->pids.n - 1] != s->pid)
		VEC_PUSH(&g->pids, s->pid);
	return 0;
}

/* What stacks need now comes first; then the other files of the processes that they came from. */
void sights_look(struct sights *g)
{
	bool more;

	if (!g)
		return;
	do {
		ring_buffer__consume(g->rb);
		while (!g->wanted_now.n && g->pids.n)
			gather(g, g->pids.v[--g->pids.n]);
		more = take_next(g);
		if (!more)
			follow_last(g);
		more = more || unwindmaps_more(g->maps);
	} while (more);
}

void sights_refresh(const struct sights *g)
{
	if (!g)
		return;
	usyms_refresh(usyms_get(g->s->env));
	unwindmaps_rest(g->maps);
	unwindmaps_free_gone(g->maps);
}

/* ---- the account ----------------------------------------------------------------------------- */

/* How many user stacks were taken, and how they ended. */
static u64 sights_ends(const struct sights *g, u64 sum[DTX_END_N])
{
	int fd = load_role_fd(&g->s->ld, ROLE_ends), ncpu = libbpf_num_possible_cpus();
	u64 *v = xcalloc(ncpu, DTX_END_N * sizeof(*v)), all = 0;
	u32 zero = 0;

	if (fd < 0 || bpf_map_lookup_elem(fd, &zero, v))
		ncpu = 0;
	for (u32 i = 0; i < (u32)ncpu * DTX_END_N; i++) {
		sum[i % DTX_END_N] += v[i];
		all += v[i];
	}
	free(v);
	return all;
}

void sights_account(struct sights *g)
{
	u64 sum[DTX_END_N] = { 0 }, all = g ? sights_ends(g, sum) : 0, bad = 0;
	struct buf why = { 0 };

	for (u32 i = 0; i < DTX_END_N; i++) {
		if (!sum[i] || !sym_stack_end(i))
			continue;
		buf_printf(&why, "%s%llu: %s", bad ? "; " : "", (unsigned long long)sum[i],
			   sym_stack_end(i));
		bad += sum[i];
	}
	if (bad)
		consumer_tell(g->s->con, MESSAGE(DTX_NOTICE, DTX_INFO),
			      "%llu of %llu user stacks are incomplete (%.1f %%): %s",
			      (unsigned long long)bad, (unsigned long long)all,
			      100.0 * (double)bad / (double)all, why.data);
	buf_free(&why);
}

/* ---- life ------------------------------------------------------------------------------------ */

int sights_start(struct dtx_session *s)
{
	int ring = load_role_fd(&s->ld, ROLE_sights);
	struct sights *g;

	if (ring < 0)
		return 0;
	g = s->sights = xcalloc(1, sizeof(*g));
	g->s = s;
	g->objects = load_role_fd(&s->ld, ROLE_objects);
	g->numbers = load_role_fd(&s->ld, ROLE_numbers);
	g->jvms = load_role_fd(&s->ld, ROLE_jvms);
	g->maps = unwindmaps_new(s);
	g->rb = ring_buffer__new(ring, sight_sample, g, NULL);
	if (!g->rb)
		return dtx_env_fail(s->env, -errno, "cannot map the ring of files: %s",
				    strerror(errno));
	g->pythons = pythons_new(s);
	g->jits = jits_new(s, g->maps);
	return 0;
}

void sights_free(struct sights *g)
{
	if (!g)
		return;
	ring_buffer__free(g->rb);
	VEC_FREE(&g->wanted_now);
	VEC_FREE(&g->later);
	VEC_FREE(&g->pids);
	pythons_free(g->pythons);
	jits_free(g->jits);
	unwindmaps_free(g->maps);
	free(g);
}

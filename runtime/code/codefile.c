/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codefile.c - files of code, one for each file: by device and inode, size and time of change, so
 * that one that was replaced or written anew is another one.
 * Why: docs/decisions/43-code-files.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/code/code-private.h"
#include "runtime/code/symtabs.h"
#include "runtime/proc/proc.h"

#define VDSO_SIZE 8192

struct codefiles *codefiles_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);
	struct codefiles *c = sym->codefiles;

	if (!c) {
		c = sym->codefiles = xcalloc(1, sizeof(*c));
		c->env = env;
		c->arena = arena_new();
		c->by_id = keytab_new(sizeof(struct file_id), sizeof(struct codefile *));
		c->missing = map_new();
		c->paths = map_new();
		c->limit = CODEFILES_MOST;
	}
	return c;
}

void codefile_drop_part(struct codefile *f, u32 kind)
{
	if (f->part[kind])
		f->ops[kind]->drop(f->part[kind]);
	f->part[kind] = NULL;
}

static void close_file(struct codefile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	free(f->piece);
	f->piece = NULL;
}

void codefiles_free(struct codefiles *c)
{
	if (!c)
		return;
	for (u32 i = 0; i < c->v.n; i++) {
		struct codefile *f = c->v.v[i];

		for (u32 k = 0; k < CODE_PARTS; k++)
			codefile_drop_part(f, k);
		elfsyms_close(f->syms);
		extents_free(f->extents);
		keytab_free(f->slots);
		close_file(f);
	}
	VEC_FREE(&c->v);
	VEC_FREE(&c->pinned);
	VEC_FREE(&c->awaiting);
	keytab_free(c->by_id);
	map_free(c->missing);
	VEC_FREE(&c->silent);
	map_free(c->paths);
	arena_free(c->arena);
	free(c);
}

/* ---- which file -------------------------------------------------------------------------- */

static struct codefile *file_new(struct codefiles *c, const char *path)
{
	struct codefile *f = ARENA_NEW(c->arena, struct codefile);

	f->all = c;
	f->path = arena_strdup(c->arena, path);
	f->fd = -1;
	VEC_PUSH(&c->v, f);
	return f;
}

static struct codefile *file_with_id(struct codefiles *c, const struct file_id *id,
				     const char *path)
{
	struct codefile **at = keytab_put(c->by_id, id), *f = *at;

	if (!f) {
		f = *at = file_new(c, path);
		f->id = *id;
	}
	return f;
}

static struct codefile *file_missing(struct codefiles *c, const char *path)
{
	struct codefile *f = map_get(c->missing, path);

	if (!f) {
		f = file_new(c, path);
		f->was_read = true;
		map_set(c->missing, path, f);
	}
	return f;
}

/* Remembers which file the path named first, or that it has named two. */
static void note_path(struct codefiles *c, const char *path, const struct file_id *id)
{
	struct file_id *first = map_get(c->paths, path);

	if (first && !file_id_same(first, id)) {
		*first = (struct file_id){ 0 };
	} else if (!first && id->ino) {
		first = ARENA_NEW(c->arena, struct file_id);
		*first = *id;
		map_set(c->paths, path, first);
	}
}

void codefile_anew(struct dtx_env *env, const char *path)
{
	struct file_id *first = map_get(codefiles_get(env)->paths, path);

	if (first)
		*first = file_identity(path);
}

int codefile_open_same(struct dtx_env *env, const char *path)
{
	const struct file_id *first = map_get(codefiles_get(env)->paths, path);
	int fd = file_open_object(path, 0);
	struct file_id id;
	struct stat st;

	if (fd < 0 || !first)
		return fd;
	id = fstat(fd, &st) ? (struct file_id){ 0 } : file_id_of(&st);
	if (id.ino && file_id_same(first, &id))
		return fd;
	close(fd);
	return -ESTALE;
}

struct codefile *codefile_at(struct dtx_env *env, const char *path)
{
	struct file_id id = file_identity(path);
	struct codefiles *c = codefiles_get(env);

	note_path(c, path, &id);
	return id.ino ? file_with_id(c, &id, path) : file_missing(c, path);
}

/* The open file fd, which belongs to it from now on, and what leads to it. */
static struct codefile *file_of(struct dtx_env *env, int fd, const char *path,
				const struct file_id *id)
{
	struct codefile *f = file_with_id(codefiles_get(env), id, path);

	if (f->fd >= 0)
		close(fd);
	else
		f->fd = fd;
	return f;
}

/* Opening a file: its file system may be a program of others, which does not answer. */
struct open_work {
	struct proc_mapped m;
	int fd;
	struct file_id id;
	char path[PROC_PATH];
	char told[];
};

static void open_mapped(void *arg)
{
	struct open_work *w = arg;
	struct stat st;

	w->fd = proc_mapped_open(&w->m, w->path);
	if (w->fd >= 0 && !fstat(w->fd, &st)) {
		w->id = file_id_of(&st);
	} else if (w->fd >= 0) {
		close(w->fd);
		w->fd = -EIO;
	}
}

static void open_drop(void *arg)
{
	struct open_work *w = arg;

	if (w->fd >= 0)
		close(w->fd);
	free(w);
}

/* Devices whose files were not opened in time: nothing more of them is asked for. */
static bool is_silent(const struct codefiles *c, const struct proc_mapped *m)
{
	for (u32 i = 0; i < c->silent.n; i++)
		if (c->silent.v[i] == makedev(m->major, m->minor))
			return true;
	return false;
}

struct codefile *codefile_mapped(struct dtx_env *env, const struct proc_mapped *m)
{
	struct codefiles *c = codefiles_get(env);
	struct codefile *f = NULL;
	struct open_work *w;
	enum aside how;

	if (is_silent(c, m))
		return NULL;
	w = xcalloc(1, sizeof(*w) + strlen(m->told) + 1);
	w->m = *m;
	w->m.told = strcpy(w->told, m->told);
	w->fd = -EIO;
	how = aside(open_mapped, w, open_drop,
		    &(struct aside_device){ m->pid, m->major, m->minor });
	if (how == ASIDE_LEFT) {
		VEC_PUSH(&c->silent, makedev(m->major, m->minor));
		budget_leave(m->told);
		return NULL;
	}
	if (w->fd >= 0)
		f = file_of(env, w->fd, w->path, &w->id);
	free(w);
	return f;
}

static struct elfsyms *vdso_syms(void)
{
	const void *base = (const void *)getauxval(AT_SYSINFO_EHDR);
	void *copy = base ? memcpy(xmalloc(VDSO_SIZE), base, VDSO_SIZE) : NULL;
	struct elfsyms *s = copy ? elfsyms_memory(copy, VDSO_SIZE) : NULL;

	free(copy);
	return s;
}

struct codefile *codefile_vdso(struct dtx_env *env)
{
	struct codefiles *c = codefiles_get(env);

	if (!c->vdso) {
		c->vdso = file_new(c, "[vdso]");
		c->vdso->held = c->vdso->was_read = true;
		c->vdso->syms = vdso_syms();
	}
	return c->vdso;
}

const struct file_id *codefile_id(const struct codefile *f)
{
	return &f->id;
}

const char *codefile_path(const struct codefile *f)
{
	return f->path;
}

u32 codefile_build_id(const struct codefile *f, const u8 **id)
{
	*id = f->build_id;
	return f->id_len;
}

int codefile_fd(struct codefile *f)
{
	struct file_id now;
	struct stat st;
	int fd = f->fd;

	if (fd >= 0 || !f->id.ino)
		return fd;
	fd = file_open_object(f->path, 0);
	if (fd < 0)
		return fd;
	now = fstat(fd, &st) ? (struct file_id){ 0 } : file_id_of(&st);
	if (file_id_same(&now, &f->id))
		return f->fd = fd;
	close(fd);
	return -ENOENT;
}

void codefile_close(struct codefile *f)
{
	if (!f->held && !f->pinned && !f->awaits)
		close_file(f);
}

/* The piece of the file that begins there is read; false: its bytes are not. */
static bool read_piece(struct codefile *f, u64 off)
{
	ssize_t n;

	if (!f->piece)
		f->piece = xmalloc(sizeof(*f->piece));
	n = pread(f->fd, f->piece->bytes, PIECE_SIZE, (off_t)off);
	f->piece->from = off;
	f->piece->n = n > 0 ? (size_t)n : 0;
	return n >= 0;
}

ssize_t codefile_read(struct codefile *f, void *to, size_t n, u64 off)
{
	int fd = codefile_fd(f);
	struct piece *p = f->piece;

	if (fd < 0 || n > PIECE_SIZE / 4)
		return pread(fd, to, n, (off_t)off);
	if (!p || off < p->from || off - p->from + n > p->n) {
		if (!read_piece(f, off))
			return -1;
		p = f->piece;
	}
	n = MIN(n, p->n - (off - p->from));
	memcpy(to, p->bytes + (off - p->from), n);
	return (ssize_t)n;
}

void codefile_hold(struct codefile *f)
{
	f->held = true;
}

void codefile_pin(struct codefile *f)
{
	if (!f->pinned)
		VEC_PUSH(&f->all->pinned, f);
	f->pinned = true;
}

/* ---- what is read -------------------------------------------------------------------------- */

/* The symbols of another build have the names of another one. */
static bool is_same_build(struct codefile *f)
{
	u8 id[BUILD_ID_MOST] = { 0 };
	u32 len = f->syms ? elfsyms_build_id(f->syms, id) : 0;

	if (f->was_out)
		return len == f->id_len && !memcmp(id, f->build_id, len);
	f->id_len = len;
	memcpy(f->build_id, id, sizeof(id));
	return true;
}

void codefile_forget_symbols(struct codefile *f)
{
	elfsyms_close(f->syms);
	f->syms = NULL;
}

static void *make_symbols(int fd, const char *path)
{
	return elfsyms_fd(fd, path);
}

static void drop_symbols(void *syms)
{
	elfsyms_close(syms);
}

static void read_symbols(struct codefile *f)
{
	int fd = codefile_fd(f);
	enum aside how = ASIDE_DONE;

	f->was_read = true;
	f->syms = fd < 0 ? NULL : aside_file(fd, f->path, make_symbols, drop_symbols, &how);
	if (how == ASIDE_LEFT)
		budget_leave(f->path);
	if (how == ASIDE_LATER) {
		f->was_read = false;
		return;
	}
	if (!is_same_build(f))
		codefile_forget_symbols(f);
	f->awaits = false;
	codefile_close(f);
	f->all->read++;
	f->all->again += f->was_out;
	f->all->lost += f->was_out && !f->syms;
	f->all->grown = true;
}

struct elfsyms *codefile_symbols(struct codefile *f)
{
	f->used = ++f->all->clock;
	if (!f->was_read)
		read_symbols(f);
	else
		codefile_close(f);
	return f->syms;
}

struct extents *codefile_extents(struct codefile *f)
{
	if (!f->extents)
		f->extents = extents_read(codefile_fd(f));
	return f->extents;
}

struct keytab *codefile_slots(struct codefile *f)
{
	if (!f->slots)
		f->slots = plt_targets(codefile_fd(f), f->all->arena);
	return f->slots;
}

void *codefile_part(struct codefile *f, enum codefile_kind kind)
{
	f->used = ++f->all->clock;
	return f->part[kind];
}

void codefile_set_part(struct codefile *f, enum codefile_kind kind, void *part,
		       const struct codefile_part *ops)
{
	f->part[kind] = part;
	f->ops[kind] = ops;
	f->all->grown = true;
}

void codefile_keep(struct codefile *f, enum codefile_kind kind)
{
	f->kept[kind] = true;
}

void codefile_grew(struct codefile *f)
{
	f->all->grown = true;
}

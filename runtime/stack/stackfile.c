/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackfile.c - the files that frames of stacks are in, by the numbers that the programs gave them
 * (dtx/stack.h).
 *
 * A file is opened when it is first told of, and stays open until its symbols are read: by the
 * mapping of the process, else by its path.  It is used only if size, time of change and (by path)
 * device and inode are those of the mapped one; else frames have its name and offsets.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/tables.h"

struct stackfile {
	u32 number;
	int fd;                          /* -1: not (or no longer) open */
	const char *path;                /* as the process names it; "" unknown */
	const char *name;                /* base name */
	const char *place;               /* through which it was opened */
	struct elfsyms *syms;            /* NULL: none, or not read yet */
	struct dwarf_obj *dwarf;         /* NULL: none, or not wanted */
};

struct stackfiles {
	struct arena *arena;
	struct keytab *by_number;        /* u32 -> struct stackfile * */
	VEC(struct stackfile *) all;
};

static struct stackfiles *files_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->stackfiles) {
		sym->stackfiles = xcalloc(1, sizeof(struct stackfiles));
		sym->stackfiles->arena = arena_new();
		sym->stackfiles->by_number = keytab_new(sizeof(u32), sizeof(struct stackfile *));
	}
	return sym->stackfiles;
}

void stackfiles_free(struct stackfiles *f)
{
	if (!f)
		return;
	for (u32 i = 0; i < f->all.n; i++) {
		if (f->all.v[i]->fd >= 0)
			close(f->all.v[i]->fd);
		elfsyms_close(f->all.v[i]->syms);
	}
	VEC_FREE(&f->all);
	keytab_free(f->by_number);
	arena_free(f->arena);
	free(f);
}

/* ---- opening --------------------------------------------------------------------------------- */

static struct dtx_objkey key_of(const struct stat *st)
{
	return (struct dtx_objkey){
		.ino = st->st_ino, .size = st->st_size, .mtime = st->st_mtim.tv_sec,
		.nsec = st->st_mtim.tv_nsec, .dev = major(st->st_dev) << 20 | minor(st->st_dev),
	};
}

bool stackfile_key(int fd, struct dtx_objkey *key)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	*key = key_of(&st);
	return true;
}

void stackfile_key_mapped(struct dtx_objkey *key, const struct stat *st, const struct proc_map *m)
{
	if (st)
		*key = key_of(st);
	key->dev = m->major << 20 | m->minor;
	key->ino = m->inode;
}

/* mapped: what the mapping leads to; some file systems show another device there. */
static int open_same(const char *path, const struct dtx_objkey *key, bool mapped)
{
	int fd = file_open_object(path, 0);
	struct dtx_objkey its;

	if (fd < 0)
		return fd;
	if (stackfile_key(fd, &its) && its.size == key->size && its.mtime == key->mtime &&
	    its.nsec == key->nsec && (mapped || (its.ino == key->ino && its.dev == key->dev)))
		return fd;
	close(fd);
	return -1;
}

static void open_file(struct arena *a, struct stackfile *o, const struct dtx_sight *s)
{
	char map[PROCMAP_FILE], below[PROC_PATH];

	procmap_file(map, s->pid, s->start, s->end);
	proc_in_root(below, s->pid, o->path);
	o->place = arena_strdup(a, below);
	o->fd = open_same(map, &s->key, true);
	if (o->fd < 0)
		o->fd = open_same(o->place, &s->key, false);
	if (o->fd >= 0)
		return;
	o->fd = open_same(o->path, &s->key, false);
	o->place = o->path;
}

int stackfile_add(struct dtx_env *env, const struct dtx_sight *s, const char **path)
{
	struct stackfiles *f = files_get(env);
	struct stackfile **at = keytab_put(f->by_number, &s->number), *o = *at;

	if (!o) {
		o = *at = ARENA_NEW(f->arena, struct stackfile);
		*o = (struct stackfile){ .number = s->number, .fd = -1 };
		VEC_PUSH(&f->all, o);
		o->path = s->at < DTX_PATH_MAX
			? arena_strndup(f->arena, s->path + s->at, DTX_PATH_MAX - 1 - s->at) : "";
		o->path = arena_strndup(f->arena, o->path, proc_told_len(o->path));
		o->name = strrchr(o->path, '/') ? strrchr(o->path, '/') + 1 : o->path;
		if (!*o->name)
			o->name = "[unknown]";
		open_file(f->arena, o, s);
	}
	*path = o->place;
	return o->fd;
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct stackfile *file_at(struct stackfiles *f, u32 number)
{
	struct stackfile **at = keytab_get(f->by_number, &number), *o;

	if (at || number != DTX_OBJECT_VDSO)
		return at ? *at : NULL;
	o = ARENA_NEW(f->arena, struct stackfile);
	*o = (struct stackfile){ .number = number, .fd = -1, .path = "[vdso]", .name = "[vdso]" };
	o->syms = vdso_syms();
	VEC_PUSH(&f->all, o);
	*(struct stackfile **)keytab_put(f->by_number, &number) = o;
	return o;
}

bool stackfile_lookup(struct dtx_env *env, u64 frame, struct usym *out)
{
	u32 number = frame >> DTX_FRAME_SHIFT & ((1u << DTX_OBJECT_BITS) - 1);
	struct stackfile *o = file_at(files_get(env), number);
	const struct elfsym *sym;

	*out = (struct usym){ .object = o ? o->name : "[unknown]", .unseen = !o, .vaddr = ~0ull };
	out->file_off = out->off = frame & DTX_FRAME_OFF;
	if (o && o->fd >= 0) {
		o->dwarf = stack_source(env, o->fd, o->place);
		o->syms = elfsyms_fd(o->fd, o->place);   /* closes it */
		o->fd = -1;
	}
	if (!o || !o->syms)
		return true;
	out->dwarf = o->dwarf;
	out->vaddr = elfsyms_vaddr(o->syms, out->file_off);
	sym = out->vaddr == ~0ull ? NULL : elfsyms_at(o->syms, out->vaddr);
	if (sym) {
		out->sym = sym->name;
		out->off = out->vaddr - sym->addr;
	}
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackfile.c - the files that frames of stacks are in, by the numbers that the programs gave them
 * (dtx/stack.h).
 *
 * A file is opened when it is first told of, and stays open until its symbols are read.  It is used
 * only if size, time of change and (by path) device and inode are those of the mapped one; else
 * frames have its name and offsets.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/proc/proc.h"
#include "runtime/stack/stack-private.h"

struct stackfile {
	const char *path;                /* as the process names it; "" unknown */
	const char *name;                /* base name */
	struct codefile *file;           /* NULL: it cannot be opened, or is another one now */
};

struct stackfiles {
	struct arena *arena;
	struct keytab *by_number;        /* u32 -> struct stackfile * */
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

/* What the kernel knows of a mapped file: its file system, which may be a program, is not asked. */
static bool known_stat(const char *path, struct stat *st)
{
	const u32 want = STATX_TYPE | STATX_INO | STATX_SIZE | STATX_MTIME;
	struct statx x;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, want, &x))
		return false;
	*st = (struct stat){ .st_mode = x.stx_mode, .st_ino = x.stx_ino, .st_size = x.stx_size,
			     .st_dev = makedev(x.stx_dev_major, x.stx_dev_minor) };
	st->st_mtim.tv_sec = x.stx_mtime.tv_sec;
	st->st_mtim.tv_nsec = x.stx_mtime.tv_nsec;
	return true;
}

bool stackfile_key_of(u32 pid, const struct proc_map *m, struct dtx_objkey *key, struct stat *st)
{
	char path[PROCMAP_FILE];

	procmap_file(path, pid, m->start, m->end);
	if (!known_stat(path, st) || !S_ISREG(st->st_mode))
		return false;
	stackfile_key_mapped(key, st, m);
	return true;
}

void stackfile_key_mapped(struct dtx_objkey *key, const struct stat *st, const struct proc_map *m)
{
	if (st)
		*key = key_of(st);
	key->dev = m->major << 20 | m->minor;
	key->ino = m->inode;
}

static struct codefile *open_file(struct dtx_env *env, const char *path, const struct dtx_sight *s)
{
	struct proc_mapped m = {
		.pid = s->pid, .start = s->start, .end = s->end, .told = path, .ino = s->key.ino,
		.major = s->key.dev >> 20, .minor = s->key.dev & ((1u << 20) - 1),
		.is_dated = true, .size = (u64)s->key.size,
		.changed = s->key.mtime * 1000000000ll + s->key.nsec,
	};

	return codefile_mapped(env, &m);
}

struct codefile *stackfile_add(struct dtx_env *env, const struct dtx_sight *s)
{
	struct stackfiles *f = files_get(env);
	struct stackfile **at = keytab_put(f->by_number, &s->number), *o = *at;

	if (o && o->file && codefile_fd(o->file) < 0)    /* it is mapped elsewhere now */
		open_file(env, o->path, s);
	if (o)
		return o->file;
	o = *at = ARENA_NEW(f->arena, struct stackfile);
	o->path = s->at < DTX_PATH_MAX
		? arena_strndup(f->arena, s->path + s->at, DTX_PATH_MAX - 1 - s->at) : "";
	o->path = arena_strndup(f->arena, o->path, proc_told_len(o->path));
	o->name = *path_base(o->path) ? path_base(o->path) : "[unknown]";
	o->file = open_file(env, o->path, s);
	if (o->file)
		codefile_await(o->file);
	return o->file;
}

/* ---- names ----------------------------------------------------------------------------------- */

static struct stackfile *file_at(struct dtx_env *env, u32 number)
{
	struct stackfiles *f = files_get(env);
	struct stackfile **at = keytab_get(f->by_number, &number), *o;

	if (at || number != DTX_OBJECT_VDSO)
		return at ? *at : NULL;
	o = ARENA_NEW(f->arena, struct stackfile);
	*o = (struct stackfile){ "[vdso]", "[vdso]", codefile_vdso(env) };
	*(struct stackfile **)keytab_put(f->by_number, &number) = o;
	return o;
}

bool stackfile_lookup(struct dtx_env *env, u64 frame, struct usym *out)
{
	u32 number = frame >> DTX_FRAME_SHIFT & ((1u << DTX_OBJECT_BITS) - 1);
	struct stackfile *o = file_at(env, number);
	const struct elfsym *sym;
	struct elfsyms *syms;

	*out = (struct usym){ .object = o ? o->name : "[unknown]", .unseen = !o, .vaddr = ~0ull };
	out->file_off = out->off = frame & DTX_FRAME_OFF;
	if (!o || !o->file || ahead_lookup(env, frame, out))
		return true;
	codefile_room(o->file);
	syms = codefile_symbols(o->file);
	out->dwarf = stack_source(env, o->file);
	if (!syms)
		return true;
	out->vaddr = elfsyms_vaddr(syms, out->file_off);
	sym = out->vaddr == ~0ull ? NULL : elfsyms_at(syms, out->vaddr);
	if (sym) {
		out->sym = sym->name;
		out->off = out->vaddr - sym->addr;
	}
	return true;
}

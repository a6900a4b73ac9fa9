/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codelimit.c - how much of files of code is in memory, and which of them are open.
 *
 * What is read of them takes at most CODEFILES_MOST bytes, as long as nobody holds or pins more: of
 * the rest, that is thrown out which was used the longest time ago.
 * Why: docs/decisions/43-code-files.md
 */
#include <fcntl.h>
#include <malloc.h>
#include <sys/stat.h>

#include "runtime/code/code-private.h"

#define AWAIT_MOST 512                   /* files that are open until somebody asks for them */
#define AWAIT_LOOK 4                     /* of them are looked at when one more comes */
#define NAMED      5                     /* a file's symbols take up to a fifth of its size */
#define NAMED_MOST 3                     /* one that has little else: three times its size */

/* ---- open files ------------------------------------------------------------------------------ */

/* What the kernel knows: the file system is not asked. */
static bool was_deleted(const struct codefile *f)
{
	const int how = AT_EMPTY_PATH | AT_STATX_DONT_SYNC;
	struct statx st;

	return f->fd >= 0 && !statx(f->fd, "", how, STATX_NLINK, &st) && !st.stx_nlink;
}

/*
 * An open file keeps the space of one that was deleted.  Symbols of such a file are read at once,
 * and so are those of the one that waits longest, where too many do.  A machine that builds
 * programs makes many of them, so a few are looked at whenever one more comes.
 */
static void settle(struct codefiles *c)
{
	for (u32 i = 0; i < AWAIT_LOOK && c->awaiting.n; i++) {
		u32 at = c->awaiting.n > AWAIT_MOST ? 0 : c->looked++ % c->awaiting.n;
		struct codefile *f = c->awaiting.v[at];

		if (f->awaits && (c->awaiting.n > AWAIT_MOST || was_deleted(f))) {
			codefile_room(f);
			codefile_symbols(f);
		}
		if (f->awaits)
			continue;
		c->awaiting.n--;
		memmove(c->awaiting.v + at, c->awaiting.v + at + 1,
			(c->awaiting.n - at) * sizeof(f));
	}
}

void codefile_await(struct codefile *f)
{
	if (f->was_read || f->awaits)
		return;
	f->awaits = true;
	VEC_PUSH(&f->all->awaiting, f);
	settle(f->all);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static u64 file_bytes(const struct codefile *f, bool with_kept)
{
	u64 sum = f->syms ? elfsyms_bytes(f->syms) : 0;

	for (u32 k = 0; k < CODE_PARTS; k++)
		if (f->part[k] && (with_kept || !f->kept[k]))
			sum += f->ops[k]->bytes(f->part[k]);
	return sum;
}

u64 codefiles_bytes(struct dtx_env *env)
{
	struct codefiles *c = codefiles_get(env);
	u64 sum = 0;

	for (u32 i = 0; i < c->v.n; i++)
		sum += file_bytes(c->v.v[i], true);
	return sum;
}

/* Not the last one: it may be asked for again at once.  only: those that cannot be read again. */
static struct codefile *oldest(struct codefiles *c, bool only)
{
	struct codefile *best = NULL;

	for (u32 i = 0; i < c->v.n; i++) {
		struct codefile *f = c->v.v[i];

		if (!f->held && !f->pinned && f->is_only == only && f->used < c->clock &&
		    (!best || f->used < best->used) && file_bytes(f, false))
			best = f;
	}
	return best;
}

static struct codefile *next_out(struct codefiles *c)
{
	struct codefile *f;

	while ((f = oldest(c, false))) {
		if (codefile_fd(f) >= 0) {
			codefile_close(f);
			return f;
		}
		f->is_only = true;
	}
	return oldest(c, true);
}

/* It is read again when it is asked for. */
static void put_away(struct codefile *f)
{
	codefile_forget_symbols(f);
	extents_free(f->extents);
	f->extents = NULL;
	f->was_out |= f->was_read;
	f->was_read = false;
}

static void throw_out(struct codefile *f)
{
	for (u32 k = 0; k < CODE_PARTS; k++)
		if (!f->kept[k])
			codefile_drop_part(f, k);
	put_away(f);
	f->all->thrown++;
}

void codefiles_unpin(struct dtx_env *env, bool asked)
{
	struct codefiles *c = codefiles_get(env);

	for (u32 i = 0; i < c->pinned.n; i++) {
		struct codefile *f = c->pinned.v[i];

		f->pinned = false;
		codefile_close(f);
		if (!asked)
			put_away(f);
		c->grown = true;                 /* more can be thrown out */
	}
	c->pinned.n = 0;
}

static void make_room(struct codefiles *c, u64 room)
{
	u64 sum = codefiles_bytes(c->env);
	u32 before = c->thrown;
	struct codefile *f;

	c->grown = false;
	c->most = MAX(c->most, sum);
	while (sum + room > c->limit && (f = next_out(c))) {
		sum -= file_bytes(f, false);
		throw_out(f);
	}
	if (c->thrown != before)
		malloc_trim(0);          /* else what is free lies between what is kept */
}

void codefiles_trim(struct dtx_env *env)
{
	struct codefiles *c = codefiles_get(env);

	if (c->grown)
		make_room(c, 0);
}

void codefile_room(struct codefile *f)
{
	if (!f->was_read)
		make_room(f->all, MIN(f->id.size / NAMED, f->all->limit / 2));
}

bool codefiles_crowded(struct dtx_env *env)
{
	struct codefiles *c = codefiles_get(env);
	u64 sum = 0;

	for (u32 i = 0; i < c->v.n; i++)
		sum += c->v.v[i]->was_read ? file_bytes(c->v.v[i], true) :
					     c->v.v[i]->id.size * NAMED_MOST;
	return c->thrown || sum > c->limit;
}

void codefiles_limit(struct dtx_env *env, u64 bytes)
{
	struct codefiles *c = codefiles_get(env);

	c->grown |= bytes < c->limit;
	c->limit = bytes;
}

const char *codefiles_figures(struct dtx_env *env, struct arena *a)
{
	const struct codefiles *c = codefiles_get(env);

	return !c->read ? NULL :
	       arena_printf(a, "symbols of programs and libraries: of %u files, at most %llu MB at "
			    "a time; thrown out %u times, read again %u times", c->read - c->again,
			    (unsigned long long)MAX(c->most, codefiles_bytes(env)) >> 20,
			    c->thrown, c->again);
}

const char *codefiles_trouble(struct dtx_env *env, struct arena *a)
{
	const struct codefiles *c = codefiles_get(env);

	return !c->thrown ? NULL :
	       arena_printf(a, "the symbols of all files together need more than %llu MB: those "
			    "used the longest time ago were thrown out, and read again when they "
			    "were needed%s", (unsigned long long)c->limit >> 20,
			    c->lost ? "; names in files that are no longer there are missing" : "");
}

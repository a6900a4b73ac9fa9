/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * describeprog.c - dtx --describe FILE --program PATH: what is asked of a program when it is
 * probed.
 *
 * That is nearly all of it: symbols, notes, instructions, call frames, types and lines.  So the
 * file is recorded whole, with the files of its debugging information that are installed, and the
 * same of each library that it needs.
 * Why: docs/decisions/47-machines.md
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/machine/machine.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/run/run.h"

#define LD_CACHE   "/etc/ld.so.cache"
#define LINKS_MOST 40            /* in one path, as the kernel (MAXSYMLINKS) */

struct taking {
	struct dtx_env *env;
	struct machine_record *record;
	struct map *seen, *links;        /* paths, as they were asked for and without links */
	const char *failed;              /* the path that could not be recorded, or NULL */
	int err;
};

/* Notes the symbolic links on the way to a file, and returns the path without them; NULL: there is
 * no such file. */
static const char *take_links(struct taking *t, const char *path)
{
	struct arena *a = t->env->arena;
	const char *done = "";

	for (u32 links = 0; *(path += strspn(path, "/"));) {
		size_t n = strcspn(path, "/");
		const char *next = arena_printf(a, "%s/%.*s", done, (int)n, path);
		char to[PATH_MAX];
		ssize_t len;

		if (n == 1 && *path == '.')
			next = done;
		if (n == 2 && !memcmp(path, "..", 2))
			next = arena_strndup(a, done, (size_t)(path_base(done) - done) -
					     !!*done);
		path += n;
		len = readlink(next, to, sizeof(to));
		if (len < 0) {
			done = next;
			continue;
		}
		if (len == sizeof(to) || ++links > LINKS_MOST)
			return NULL;
		if (!map_add(t->links, next, t) &&
		    !machine_record_link(t->record, next, arena_strndup(a, to, (size_t)len)))
			return NULL;
		path = arena_printf(a, "%.*s%s", (int)len, to, path);
		if (*to == '/')
			done = "";
	}
	return done;
}

/* The file at a path, under the name that it has without links. */
static int take_bytes(struct taking *t, const char *path, const char *real)
{
	int fd = codefile_open_same(t->env, path), err;
	char *data = NULL;
	struct stat st;
	size_t len;

	if (fd < 0)
		return fd;
	err = fstat(fd, &st) ? -errno : file_read_fd(fd, &data, &len);
	close(fd);
	if (!err && !machine_record_program(t->record, real, data, len,
					    st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec))
		err = -EINVAL;
	free(data);
	return err;
}

/* The file at a path, once; true: it was not there already. */
static bool take_file(struct taking *t, const char *path)
{
	const char *real;

	if (t->err || map_add(t->seen, path, t))
		return false;
	real = take_links(t, path);
	if (real && strcmp(real, path) && map_add(t->seen, real, t))
		return false;
	t->err = real ? take_bytes(t, path, real) : -ENOENT;
	if (t->err)
		t->failed = path;
	return !t->err;
}

static void take_program(struct taking *t, const char *path)
{
	struct codefile *file = codefile_at(t->env, path);
	struct arena *a = t->env->arena;

	if (!take_file(t, path))
		return;
	for (const char **debug = codefile_debug_files(file, a); *debug && !t->err; debug++)
		take_file(t, *debug);
	for (const char **name = elf_needed(file, a); *name && !t->err; name++) {
		const char *lib = sym_library(a, *name);

		if (lib)                         /* else the linker finds it in no usual place */
			take_program(t, lib);
	}
	codefile_close(file);
}

int describe_programs(struct dtx_env *env, struct machine_record *r)
{
	const char *const *names = env->described;
	u32 n = env->ndescribed;
	struct taking t = { .env = env, .record = r, .seen = map_new(), .links = map_new() };

	if (n)
		machine_note(env, "path", getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	for (u32 i = 0; i < n && !t.err; i++) {
		const char *path = user_path(env, names[i]);

		t.failed = names[i];
		if (!path || *path != '/')
			t.err = -ENOENT;
		else if (!user_symbols(env, path))
			t.err = -ENOEXEC;
		else
			take_program(&t, path);
	}
	if (n && !t.err && !file_access(LD_CACHE, R_OK))
		take_file(&t, LD_CACHE);
	map_free(t.seen);
	map_free(t.links);
	if (!t.err)
		return 0;
	return dtx_env_fail(env, t.err, "cannot record the program '%s': %s", t.failed,
			    t.err == -ENOENT ? user_no_file(env, t.failed) :
			    t.err == -ESTALE ? prov_why(t.err) :
			    t.err == -ENOEXEC ? "it is no ELF object that can be read" :
			    file_why(-t.err));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfile.c - finds separate files with the symbols and the debugging information of an object:
 * by build id below /usr/lib/debug, or by the name in the object (.gnu_debuglink), beside the
 * object, in .debug there, and below /usr/lib/debug; and the symbols in .gnu_debugdata.
 *
 * A file is that of the object only if it has its build id, or, where one of them has none, the
 * checksum in .gnu_debuglink: offsets of another build would be wrong numbers.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <lzma.h>
#include <zlib.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"
#include "runtime/proc/proc.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define MINI_MOST   (64u << 20)  /* bytes of the object, and of the decoder's memory */

struct debug_list {
	const char *files[9];            /* at most 8, and NULL */
	u32 n;
	const char *refused;             /* why the first one is not the object's */
};

static const char *by_build_id(struct arena *a, Elf *elf, const char *root)
{
	const u8 *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, (const void **)&id);
	struct buf b = { 0 };
	const char *path;

	if (n < 2)
		return NULL;
	buf_printf(&b, "%s" DEBUG_ROOT "/.build-id/%02x/", root, id[0]);
	for (ssize_t i = 1; i < n; i++)
		buf_printf(&b, "%02x", id[i]);
	path = arena_printf(a, "%s.debug", b.data);
	buf_free(&b);
	return path;
}

/* ---- the folders ------------------------------------------------------------------------- */

static const char *folder_of(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	return !slash ? "." : slash == path ? "/" : arena_strndup(a, path, slash - path);
}

/* Folder of an object, with links resolved; below the root of another process unresolved,
 * because its links have another meaning here. */
static const char *given_folder(struct arena *a, const char *path)
{
	const char *dir = folder_of(a, path);
	char *real = file_below_root(path) ? xstrdup(dir) : file_real_object(dir);

	dir = real ? arena_strdup(a, real) : NULL;
	free(real);
	return dir;
}

/* Folder of the file itself, which `path` may be a link to: a symbolic one, /proc/PID/exe. */
static const char *real_folder(struct arena *a, const char *path, const char *root)
{
	char to[PATH_MAX];
	struct stat st;

	if (!file_real(path, &st, to) || !*to)
		return NULL;
	to[proc_told_len(to)] = '\0';
	return arena_printf(a, "%s%s", root, folder_of(a, to));
}

/* ---- is it the object's? ----------------------------------------------------------------- */

static bool has_crc(int fd, GElf_Word crc)
{
	static const size_t block = 1 << 18;
	u8 *data = xmalloc(block);
	s64 since = budget_start();
	uLong sum = crc32(0, NULL, 0);
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, data, block, at)) > 0 && budget_go_on(&since); at += n)
		sum = crc32(sum, data, (uInt)n);
	free(data);
	return !n && sum == crc;
}

/* What the file is if it is not the object's.  crc NULL: it was found by the build id. */
static const char *mismatch(Elf *elf, int fd, const GElf_Word *crc)
{
	const void *id, *its;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id), m;
	Elf *debug = elf_open_fd(fd);
	const char *why = NULL;

	m = debug ? dwelf_elf_gnu_build_id(debug, &its) : -1;
	if (!debug)
		why = "is not an ELF object that can be read";
	else if (n > 0 && m > 0)
		why = n == m && !memcmp(id, its, n) ? NULL :
		      "is of another build: its build id is another one";
	else if (crc)
		why = has_crc(fd, *crc) ? NULL :
		      "is of another build: its checksum is not that which the "
		      "program has for it (.gnu_debuglink)";
	elf_end(debug);
	return why;
}

/* Takes it into the list if it is there and of this object; else says why not. */
static void consider(struct arena *a, Elf *elf, struct debug_list *l, const char *path,
		     const GElf_Word *crc)
{
	int fd = path ? file_open_dense(path, 0) : -1;
	const char *why, *stranger;

	if (fd < 0)
		return;
	why = mismatch(elf, fd, crc);
	close(fd);
	if (!why) {
		l->files[l->n++] = path;
	} else if (!l->refused) {
		stranger = codefile_stranger(path);
		l->refused = arena_printf(a, "the debug file %s %s%s%s", path, why,
					  stranger ? ": " : "", stranger ? stranger : "");
	}
}

static void consider_folder(struct arena *a, Elf *elf, struct debug_list *l, const char *dir,
			    const char *root)
{
	GElf_Word crc;
	const char *link = dwelf_elf_gnu_debuglink(elf, &crc);

	consider(a, elf, l, arena_printf(a, "%s/%s", dir, link), &crc);
	consider(a, elf, l, arena_printf(a, "%s/.debug/%s", dir, link), &crc);
	consider(a, elf, l, arena_printf(a, "%s" DEBUG_ROOT "%s/%s", root, dir + strlen(root),
					 link), &crc);
}

const char **debug_files(struct arena *a, Elf *elf, const char *path, const char **refused)
{
	struct debug_list *l = ARENA_NEW(a, struct debug_list);
	const char *below = file_below_root(path), *link, *dir, *real;
	const char *root = below ? arena_strndup(a, path, below - path) : "";
	GElf_Word crc;

	*l = (struct debug_list){ 0 };
	consider(a, elf, l, by_build_id(a, elf, root), NULL);
	if (*root)
		consider(a, elf, l, by_build_id(a, elf, ""), NULL);
	link = dwelf_elf_gnu_debuglink(elf, &crc);
	if (link && !strchr(link, '/')) {        /* must be a file name, not a path */
		dir = given_folder(a, path);
		real = real_folder(a, path, root);
		if (dir)
			consider_folder(a, elf, l, dir, root);
		if (real && (!dir || strcmp(dir, real)))
			consider_folder(a, elf, l, real, root);
	}
	if (refused)
		*refused = l->refused;
	return l->files;
}

/* What several packages' debug files share (dwz), of the file at `path`: its path, in the arena. */
static const char *shared_file(struct arena *a, Elf *elf, const char *path)
{
	const char *name = elf ? elf_shared_name(elf) : NULL;

	if (name)
		name = *name == '/' ? arena_strdup(a, name) :
		       arena_printf(a, "%s/%s", folder_of(a, path), name);
	return name && !file_access_object(name, R_OK) ? name : NULL;
}

const char **codefile_debug_files(struct codefile *file, struct arena *a)
{
	const char *path = codefile_path(file), **all = NULL, **found = NULL, *shared;
	int fd = codefile_fd(file);
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd), *debug;
	u32 n = 0;

	if (elf)
		found = debug_files(a, elf, path, NULL);
	for (u32 i = 0; found && found[i]; i++) {
		ARENA_PUSH(a, all, n, found[i]);
		debug = elf_open_path(found[i], &fd);
		shared = shared_file(a, debug, found[i]);
		elf_close_fd(debug, fd);
		if (shared)
			ARENA_PUSH(a, all, n, shared);
	}
	shared = shared_file(a, elf, path);
	elf_end(elf);
	if (shared)
		ARENA_PUSH(a, all, n, shared);
	ARENA_PUSH(a, all, n, NULL);
	return all;
}

/* ---- .gnu_debugdata ---------------------------------------------------------------------- */

/* Symbols of functions that .dynsym does not have, as an ELF object compressed by xz (GDB manual,
 * "Debugging information in a special section"). */
void *minidebug_read(Elf *elf, size_t *len)
{
	Elf_Data *data = elf_section(elf, ".gnu_debugdata", NULL);
	u64 limit = MINI_MOST;
	size_t room = data ? data->d_size * 4 : 0;
	u8 *out = NULL;
	lzma_ret ret = LZMA_BUF_ERROR;

	if (!data || !data->d_buf || !data->d_size)
		return NULL;
	for (; ret == LZMA_BUF_ERROR && room <= MINI_MOST; room *= 2) {
		size_t in = 0;

		out = xrealloc(out, room);
		*len = 0;
		ret = lzma_stream_buffer_decode(&limit, 0, NULL, data->d_buf, &in, data->d_size,
						out, len, room);
	}
	if (ret == LZMA_OK)
		return out;
	free(out);
	return NULL;
}

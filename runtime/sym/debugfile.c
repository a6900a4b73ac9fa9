/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfile.c - finds separate files with the symbols and the debugging information of an object:
 * by build id below /usr/lib/debug, or by the name in the object (.gnu_debuglink), beside the
 * object, in .debug there, and below /usr/lib/debug.
 */
#include <stdlib.h>

#include <elfutils/libdwelf.h>

#include "runtime/sym/tables.h"

#define DEBUG_ROOT "/usr/lib/debug"

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

/* Folder of an object, with links resolved; below the root of another process unresolved,
 * because its links have another meaning here. */
static const char *real_folder(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *dir = !slash ? "." : slash == path ? "/" : arena_strndup(a, path, slash - path);
	char *real = file_below_root(path) ? xstrdup(dir) : realpath(dir, NULL);

	dir = real ? arena_strdup(a, real) : NULL;
	free(real);
	return dir;
}

const char **debug_files(struct arena *a, Elf *elf, const char *path)
{
	const char **files = ARENA_ARRAY(a, const char *, 6), *below = file_below_root(path);
	const char *root = below ? arena_strndup(a, path, below - path) : "", *link, *dir;
	GElf_Word crc;
	u32 n = 0;

	files[n] = by_build_id(a, elf, root);
	n += files[n] != NULL;
	if (n && *root)
		files[n++] = by_build_id(a, elf, "");
	link = dwelf_elf_gnu_debuglink(elf, &crc);
	dir = link && !strchr(link, '/') ? real_folder(a, path)
					 : NULL; /* must be a file name, not a path */
	if (dir) {
		files[n++] = arena_printf(a, "%s/%s", dir, link);
		files[n++] = arena_printf(a, "%s/.debug/%s", dir, link);
		files[n++] =
			arena_printf(a, "%s" DEBUG_ROOT "%s/%s", root, dir + strlen(root), link);
	}
	files[n] = NULL;
	return files;
}

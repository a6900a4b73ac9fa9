/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldcache.c - finds the file of a library by its name, in the dynamic linker's
 * cache.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/names.h"

int object_fits(const char *path, const char *name)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t n = strlen(name);

	if (!strcmp(path, name) || !strcmp(base, name))
		return 3;
	if (strncmp(base, name, n))
		return 0;
	return !strncmp(base + n, ".so", 3) ? 2 : base[n] == '.' || base[n] == '-' ? 1 : 0;
}

/* ---- libraries: /etc/ld.so.cache ------------------------------------------------------ */

#define LD_CACHE    "/etc/ld.so.cache"
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_header {
	char magic[20];
	u32 nlibs, strings_len;
	u32 unused[5];
};

struct cache_entry {
	u32 flags, key, value, osversion;
	u64 hwcap;
};

/* Of another machine the linker's cache is known, but maybe not the file. */
static bool is_elf(const char *path)
{
	char magic[4];
	struct stat st;
	bool yes;
	int fd;

	if (file_stat_object(path, &st))
		return file_view_has(path);
	if (!S_ISREG(st.st_mode))
		return false;
	if (st.st_size > 65536)
		return true;             /* linker scripts named .so are small */
	fd = file_open_object(path, 0);
	if (fd < 0)
		return false;
	yes = read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, "\177ELF", 4);
	close(fd);
	return yes;
}

static int read_cache(char **data, size_t *len)
{
	int fd = file_open_object(LD_CACHE, 0), err;

	if (fd < 0)
		return fd;
	err = file_read_fd(fd, data, len);
	close(fd);
	return err;
}

static int library_fits(const char *soname, const char *name)
{
	size_t n = strlen(name);
	int fits = object_fits(soname, name);

	if (fits || strncmp(soname, "lib", 3) || strncmp(soname + 3, name, n))
		return fits;
	return !strncmp(soname + 3 + n, ".so", 3) ? 2 : 0;
}

static const char *cache_find(struct arena *a, const char *data, size_t len, const char *name)
{
	const char *start = memmem(data, len, CACHE_MAGIC, strlen(CACHE_MAGIC)), *best = NULL;
	const struct cache_header *h = (const void *)start;
	const struct cache_entry *e;
	int fits = 1;

	if (!start)
		return NULL;
	len -= (size_t)(start - data);
	if (len < sizeof(*h) || h->nlibs > (len - sizeof(*h)) / sizeof(*e))
		return NULL;
	e = (const void *)(h + 1);
	for (u32 i = 0; i < h->nlibs; i++) {
		int f;

		if (e[i].flags != ARCH_LDSO_FLAGS || e[i].key >= len || e[i].value >= len)
			continue;
		f = library_fits(start + e[i].key, name);
		if (f > fits && is_elf(start + e[i].value)) {
			fits = f;
			best = start + e[i].value;
		}
	}
	return best ? arena_strdup(a, best) : NULL;
}

static const char *folder_find(struct arena *a, const char *folder, const char *name)
{
	DIR *dir = file_view_has(folder) ? NULL : opendir(folder);
	const char *best = NULL;
	struct dirent *e;
	int fits = 1;

	file_note_passing();
	while (dir && (e = readdir(dir))) {
		int f = library_fits(e->d_name, name);
		const char *path = f > fits ? arena_printf(a, "%s/%s", folder, e->d_name) : NULL;

		if (path && is_elf(path)) {
			fits = f;
			best = path;
		}
	}
	if (dir)
		closedir(dir);
	return best;
}

const char *sym_library(struct arena *a, const char *name)
{
	static const char *const folders[] = {
		"/lib/" ARCH_LIB_FOLDER, "/usr/lib/" ARCH_LIB_FOLDER, "/lib64", "/usr/lib64",
		"/lib", "/usr/lib", "/usr/local/lib",
	};
	const char *path = NULL;
	char *data;
	size_t len;

	if (strchr(name, '/'))
		return file_access_object(name, R_OK) ? NULL : name;
	if (!read_cache(&data, &len)) {
		path = cache_find(a, data, len, name);
		free(data);
	}
	for (u32 i = 0; i < ARRAY_SIZE(folders) && !path; i++)
		path = folder_find(a, folders[i], name);
	return path;
}

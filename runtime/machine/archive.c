/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * archive.c - a description is a tar archive (POSIX ustar), compressed by zstd: anybody can look
 * into it (tar --zstd -tf FILE), and no program but tar is needed to change one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define ZSTD_STATIC_LINKING_ONLY         /* ZSTD_estimateCCtxSize() */
#include <zstd.h>

#include "runtime/machine/archive.h"

#define BLOCK    512
#define PACKED   4               /* an archive becomes at most a fourth, mostly an eighth */
#define TAR_MOST (512u << 20)    /* bytes unpacked; kernels with debugging options have 80 MB */
#define PARTS_MOST 16            /* of a path: each is a folder that is kept; machine.def has 7 */

struct tar_head {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], kind, link[100];
	char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct tar_head) == BLOCK, "the head of a member is a block");

static u32 tar_sum(const struct tar_head *h)
{
	const u8 *p = (const u8 *)h;
	u32 sum = 0;

	for (u32 i = 0; i < BLOCK; i++) {
		bool own = i >= offsetof(struct tar_head, sum) &&
			   i < offsetof(struct tar_head, sum) + sizeof(h->sum);

		sum += own ? ' ' : p[i];
	}
	return sum;
}

/* A longer path than 100 bytes is split at a '/', as ustar has it. */
static bool tar_name(struct tar_head *h, const char *path, size_t n)
{
	size_t cut = 0;

	if (n > sizeof(h->name)) {
		for (cut = MIN(n - 2, sizeof(h->prefix)); cut && path[cut] != '/'; cut--)
			;
		if (!cut || n - cut - 1 > sizeof(h->name))
			return false;
		memcpy(h->prefix, path, cut++);
	}
	memcpy(h->name, path + cut, n - cut);
	return n;
}

int archive_add(struct buf *tar, const char *path, const void *data, size_t len)
{
	struct tar_head h = { .kind = '0', .magic = "ustar", .version = "00" };
	size_t n = strlen(++path);       /* without the first '/' */
	bool folder = n && path[n - 1] == '/';

	if (!tar_name(&h, path, n))
		return -EINVAL;
	h.kind = folder ? '5' : '0';
	memcpy(h.mode, folder ? "0000755" : "0000644", 8);
	memcpy(h.uid, "0000000", 8);
	memcpy(h.gid, "0000000", 8);
	snprintf(h.size, sizeof(h.size), "%011zo", len);
	memcpy(h.mtime, "00000000000", 12);
	snprintf(h.sum, sizeof(h.sum), "%06o", tar_sum(&h));
	h.sum[7] = ' ';
	buf_add(tar, (const char *)&h, sizeof(h));
	buf_add(tar, data, len);
	while (tar->len % BLOCK)
		buf_putc(tar, '\0');
	return 0;
}

/* Of zstd: 12 makes 2.5 MB of Debian's 6.12 (19 takes ten times as long), but takes 50 MB itself; 1
 * takes 1 MB, and makes 4 MB.  0: there is no room for any. */
static int pack_level(size_t len, u64 room)
{
	static const int levels[] = { 12, 6, 1 };

	for (u32 i = 0; i < ARRAY_SIZE(levels); i++) {
		ZSTD_compressionParameters p = ZSTD_getCParams(levels[i], len, 0);

		if (ZSTD_estimateCCtxSize_usingCParams(p) + len / PACKED < room)
			return levels[i];
	}
	return 0;
}

int archive_pack(struct buf *tar, u64 room, char **data, size_t *len)
{
	int level = pack_level(tar->len, room);
	ZSTD_CCtx *z;
	size_t bound, n;

	if (!level)
		return -ENOMEM;
	for (u32 i = 0; i < 2 * BLOCK; i++)
		buf_putc(tar, '\0');
	z = ZSTD_createCCtx();
	bound = ZSTD_compressBound(tar->len);
	*data = xmalloc(bound);
	ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	n = ZSTD_compress2(z, *data, bound, tar->data, tar->len);
	ZSTD_freeCCtx(z);
	*len = n;
	if (!ZSTD_isError(n))
		return 0;
	free(*data);
	*data = NULL;
	return -ENOMEM;
}

const char *archive_unpack(const void *data, size_t len, char **tar, size_t *tar_len)
{
	unsigned long long size = ZSTD_getFrameContentSize(data, len);
	size_t n;

	if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || !size)
		return "it is no description of a machine (dtx --describe FILE makes one)";
	if (size > TAR_MOST)
		return "it is larger than any description of a machine";
	*tar = xmalloc(size);
	n = ZSTD_decompress(*tar, size, data, len);
	*tar_len = n;
	if (!ZSTD_isError(n))
		return NULL;
	free(*tar);
	*tar = NULL;
	return "it is damaged, or was cut short: describe the machine again";
}

/* Octal digits; false: there is something else. */
static bool tar_number(const char *text, size_t len, u64 *n)
{
	for (*n = 0; len && *text >= '0' && *text <= '7'; text++, len--)
		*n = *n << 3 | (u32)(*text - '0');
	return !len || !*text || *text == ' ';
}

static u32 path_parts(const char *path)
{
	u32 n = 0;

	for (; *path; path++)
		n += *path == '/';
	return n;
}

bool archive_next(struct arena *a, const char *tar, size_t len, size_t *at,
		  struct archive_member *m, bool *bad)
{
	struct tar_head h;
	u64 size, sum;

	*bad = len < BLOCK || *at > len - BLOCK;
	if (*bad)
		return false;
	memcpy(&h, tar + *at, sizeof(h));
	if (!h.name[0])
		return false;
	*bad = !tar_number(h.size, sizeof(h.size), &size) ||
	       !tar_number(h.sum, sizeof(h.sum), &sum) || sum != tar_sum(&h) ||
	       size > len - *at - BLOCK;
	if (*bad)
		return false;
	m->path = arena_printf(a, "/%.*s%s%.*s", (int)strnlen(h.prefix, sizeof(h.prefix)), h.prefix,
			       h.prefix[0] ? "/" : "", (int)strnlen(h.name, sizeof(h.name)),
			       h.name);
	*bad = path_parts(m->path) > PARTS_MOST;
	if (*bad)
		return false;
	m->data = tar + *at + BLOCK;
	m->len = size;
	*at += BLOCK + ALIGN_UP(size, BLOCK);
	return true;
}

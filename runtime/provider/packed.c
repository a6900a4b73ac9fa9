/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packed.c - rows of many probes, packed while nothing asks for them.
 *
 * A row has 29 words, and of thousands of functions each differs from the one before in two of them
 * and in its name.  So what is kept of a row is what differs.  The memory of the rows is given to
 * the kernel, but stays where it is: a row that is asked for comes back with the other rows of its
 * block, at the same address, and stays then.
 */
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtx/base.h>
#include <dtx/image.h>

#define ROWS_FEW    1024         /* fewer rows stay as they are */
#define ROWS_BLOCK  64
#define ROWS_WORDS  (sizeof(struct dtx_probe) / sizeof(u64))
#define ROWS_FUNC   (offsetof(struct dtx_probe, func) / sizeof(u64))

_Static_assert(sizeof(struct dtx_probe) % sizeof(u64) == 0 && ROWS_WORDS <= 64, "a mask of words");

struct img_packed {
	struct arena *names;     /* of functions, of rows that are back */
	const u8 *text;
	u32 *from;               /* where each block begins in it */
	bool *back;              /* is the block back? */
};

static u64 packed_word(const struct dtx_probe *p, u32 i)
{
	u64 word;

	memcpy(&word, (const char *)p + i * sizeof(word), sizeof(word));
	return word;
}

/* Before the first row of a block: nothing but zeros and a name without letters. */
static const struct dtx_probe packed_none = { .func = "" };

static void packed_put(struct buf *b, const struct dtx_probe *last, const struct dtx_probe *p)
{
	size_t same = 0, len = strlen(p->func);
	u64 differ = 0;

	for (u32 i = 0; i < ROWS_WORDS; i++)
		differ |= (u64)(packed_word(p, i) != packed_word(last, i)) << i;
	differ &= ~(1ull << ROWS_FUNC);
	buf_varint(b, differ);
	for (; differ; differ &= differ - 1) {
		u32 i = (u32)__builtin_ctzll(differ);
		s64 more = (s64)(packed_word(p, i) - packed_word(last, i));

		buf_varint(b, (u64)more << 1 ^ (u64)(more >> 63));
	}
	while (same < len && p->func[same] == last->func[same])
		same++;
	buf_varint(b, same);
	buf_varint(b, len - same);
	buf_add(b, p->func + same, len - same);
}

/* `row` is the one before, and becomes the next. */
static void packed_take(const u8 **at, struct dtx_probe *row, struct arena *names)
{
	u64 differ = varint_get(at);

	for (; differ; differ &= differ - 1) {
		u32 i = (u32)__builtin_ctzll(differ);
		u64 more = varint_get(at), word = packed_word(row, i) + (more >> 1 ^ -(more & 1));

		memcpy((char *)row + i * sizeof(word), &word, sizeof(word));
	}
	size_t same = varint_get(at), rest = varint_get(at);
	char *func = arena_alloc(names, same + rest + 1);

	memcpy(func, row->func, same);
	memcpy(func + same, *at, rest);
	*at += rest;
	row->func = func;
}

/* Whole pages only: the rows of others may be kept by it, too, and are not asked for. */
static void packed_give(const struct img *img)
{
	size_t page = (size_t)getpagesize();
	uintptr_t from = ALIGN_UP((uintptr_t)img->probes, page);
	uintptr_t to = (uintptr_t)(img->probes + img->nprobes) / page * page;

	if (to > from)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

void img_pack(struct img *img)
{
	u32 nblocks = (img->nprobes + ROWS_BLOCK - 1) / ROWS_BLOCK;
	struct buf text = { 0 };

	if (img->nprobes < ROWS_FEW || img->packed || img->late || !img->names)
		return;
	struct img_packed *p = img->packed = ARENA_NEW(img->arena, struct img_packed);

	p->from = ARENA_ARRAY(img->arena, u32, nblocks);
	p->back = ARENA_ARRAY(img->arena, bool, nblocks);
	for (u32 i = 0; i < img->nprobes; i++) {
		if (i % ROWS_BLOCK == 0)
			p->from[i / ROWS_BLOCK] = (u32)text.len;
		packed_put(&text, i % ROWS_BLOCK ? &img->probes[i - 1] : &packed_none,
			   &img->probes[i]);
	}
	p->text = arena_memdup(img->arena, text.data, text.len);
	buf_free(&text);
	p->names = img->names;
	arena_clear(p->names);
	packed_give(img);
}

const struct dtx_probe *img_packed_probe(const struct img *img, u32 i)
{
	struct img_packed *p = img->packed;
	u32 block = i / ROWS_BLOCK, first = block * ROWS_BLOCK;
	struct dtx_probe row = packed_none;

	if (p->back[block])
		return &img->probes[i];
	p->back[block] = true;
	const u8 *at = p->text + p->from[block];

	for (u32 k = first; k < MIN(first + ROWS_BLOCK, img->nprobes); k++) {
		packed_take(&at, &row, p->names);
		memcpy(&img->probes[k], &row, sizeof(row));
	}
	return &img->probes[i];
}

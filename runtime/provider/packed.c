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

/* A row as words, with its name apart.  Before the first row of a block: nothing but zeros. */
struct packed_row {
	u64 words[ROWS_WORDS];
	const char *func;
};

static struct packed_row packed_words(const struct dtx_probe *p)
{
	struct packed_row r = { .func = p->func };

	memcpy(r.words, p, sizeof(*p));
	r.words[ROWS_FUNC] = 0;
	return r;
}

static void packed_put(struct buf *b, const struct packed_row *last, const struct packed_row *r)
{
	size_t same = 0, len = strlen(r->func);
	u64 differ = 0;

	for (u32 i = 0; i < ROWS_WORDS; i++)
		differ |= (u64)(r->words[i] != last->words[i]) << i;
	buf_varint(b, differ);
	for (; differ; differ &= differ - 1) {
		u32 i = (u32)__builtin_ctzll(differ);
		s64 more = (s64)(r->words[i] - last->words[i]);

		buf_varint(b, (u64)more << 1 ^ (u64)(more >> 63));
	}
	while (same < len && r->func[same] == last->func[same])
		same++;
	buf_varint(b, same);
	buf_varint(b, len - same);
	buf_add(b, r->func + same, len - same);
}

static void packed_take(const u8 **at, struct packed_row *r, struct arena *names)
{
	u64 differ = varint_get(at);

	for (; differ; differ &= differ - 1) {
		u64 more = varint_get(at);

		r->words[__builtin_ctzll(differ)] += more >> 1 ^ -(more & 1);
	}
	size_t same = varint_get(at), rest = varint_get(at);
	char *func = arena_alloc(names, same + rest + 1);

	memcpy(func, r->func, same);
	memcpy(func + same, *at, rest);
	*at += rest;
	r->func = func;
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
	struct packed_row last = { .func = "" };

	if (img->nprobes < ROWS_FEW || img->packed || img->late || !img->names)
		return;
	struct img_packed *p = img->packed = ARENA_NEW(img->arena, struct img_packed);

	p->from = ARENA_ARRAY(img->arena, u32, nblocks);
	p->back = ARENA_ARRAY(img->arena, bool, nblocks);
	for (u32 i = 0; i < img->nprobes; i++) {
		struct packed_row r = packed_words(&img->probes[i]);

		if (i % ROWS_BLOCK == 0) {
			p->from[i / ROWS_BLOCK] = (u32)text.len;
			last = (struct packed_row){ .func = "" };
		}
		packed_put(&text, &last, &r);
		last = r;
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
	struct packed_row r = { .func = "" };

	if (p->back[block])
		return &img->probes[i];
	p->back[block] = true;
	const u8 *at = p->text + p->from[block];

	for (u32 k = first; k < MIN(first + ROWS_BLOCK, img->nprobes); k++) {
		packed_take(&at, &r, p->names);
		memcpy(&img->probes[k], r.words, sizeof(r.words));
		img->probes[k].func = r.func;
	}
	return &img->probes[i];
}

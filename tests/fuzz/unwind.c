/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c - libFuzzer harness of the call frame information of traced programs, in their files and
 * in memory: the table that is made of it must be one that bpf/ can read without leaving it.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/code/cfi.h"

#define CODE        0x7f0000000000ull    /* of bytes in memory: they are in their code, too */
#define CODE_BYTES  0x10000
#define ROOM_WORDS  (1u << 20)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* The rows of a page: within one chunk, in order, with rules that exist. */
static void check_page(const struct unwind_table *t, const struct dtx_uw_head *h, u32 at)
{
	u32 n = t->words[at] >> DTX_UW_ROW_SHIFT;

	check(at + n < t->nwords && at / DTX_UW_CHUNK_WORDS == (at + n) / DTX_UW_CHUNK_WORDS);
	for (u32 i = 0; i <= n; i++) {
		check((t->words[at + i] & DTX_UW_ROW_RULE) < h->nrules);
		check(i < 2 || t->words[at + i - 1] >> DTX_UW_ROW_SHIFT <
				       t->words[at + i] >> DTX_UW_ROW_SHIFT);
	}
}

static void check_table(const struct unwind_table *t)
{
	const struct dtx_uw_head *h = (const void *)t->words;
	const struct dtx_uw_rule *rules = (const void *)(t->words + h->rules);

	check(h->nwords == t->nwords && h->nwords <= t->nchunks * DTX_UW_CHUNK_WORDS);
	check(!(h->rules % 8) && h->rules + h->nrules * 8 <= h->nwords);
	for (u32 i = 0; i < h->nrules; i++) {
		check(rules[i].kind <= DTX_UW_CANNOT && rules[i].reg < 16 && rules[i].base < 16);
		for (u32 r = 0; r < DTX_UW_REGS; r++)
			check(!(rules[i].inreg & 1u << r) || (u16)rules[i].at[r] < 16);
	}
	for (u32 i = 0; i < h->nranges; i++) {
		const struct dtx_uw_range *g = &h->range[i];

		check(g->index + g->npages <= h->nwords);
		check(!i || g->first >= g[-1].first + g[-1].npages);
		for (u32 p = 0; p < g->npages; p++)
			if (t->words[g->index + p])
				check_page(t, h, t->words[g->index + p]);
	}
}

/* Room for one table at a time: it does not move, and ends. */
static u32 *more(void *arg, u32 words, u32 *room)
{
	*room = ROOM_WORDS;
	return words <= ROOM_WORDS ? arg : NULL;
}

/* Made by parts: what a page of the index leads to is within the room. */
static void check_parts(int fd)
{
	static u32 words[ROOM_WORDS];
	const struct unwind_room room = { more, words, 0 };
	const struct dtx_uw_head *h = (const void *)words;
	struct unwind_parts *p;

	memset(words, 0, sizeof(words));
	p = unwind_parts_open(fd, NULL, &room);
	for (u64 page = 0; p && page < 64; page++)
		unwind_part(p, page * 37 % 64);
	while (p && unwind_part_any(p))
		;
	for (u32 i = 0; p && i < h->nranges; i++)
		for (u32 k = 0; k < h->range[i].npages; k++) {
			u32 at = words[h->range[i].index + k];
			u32 n = words[at] >> DTX_UW_ROW_SHIFT;

			check(at != DTX_UW_ASK && at < ROOM_WORDS);
			for (u32 r = 0; at && r <= n; r++)
				check((words[at + r] & DTX_UW_ROW_RULE) * 8 < ROOM_WORDS);
		}
	unwind_parts_free(p);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = memfd_create("unwind", MFD_CLOEXEC);
	struct unwind_table *t = NULL;
	const char *why;

	if (write(fd, data, size) == (ssize_t)size)
		t = unwind_read(fd, NULL, &why);
	check_parts(fd);
	if (t)
		check_table(t);
	unwind_free(t);
	t = unwind_bytes(data, size, CODE, CODE, CODE + CODE_BYTES, &why);
	if (t)
		check_table(t);
	unwind_free(t);
	close(fd);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memcfi.c - unwind tables for code that a program has made while it runs.
 *
 * Compilers such as LLVM put the call frame information of such code into the memory of the
 * process, in the format of .eh_frame, where the unwinder of exceptions gets it.  No file and no
 * symbol says where it is, so it is searched: in memory without a file, near the code first.  What
 * looks like a CIE counts only if its entries describe that code.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/cfi.h"
#include "runtime/code/safe/budget.h"
#include "runtime/proc/proc.h"

#define NEAR_BYTES     (256ull << 20)    /* farther mappings are not searched */
#define SEARCH_BYTES   (32ull << 20)     /* more are not read */
#define ENOUGH_BYTES   (1ull << 20)      /* if something was found, what is farther is not */
#define FUNCTIONS_MOST 100000
#define CIE_LEAST      12                /* bytes after the length */
#define CIE_MOST       256

/* Memory that may hold the information. */
struct place { u64 start, end, distance; };

struct search {
	u64 start, end;                  /* of the code */
	VEC(struct place) places;
	VEC(u8 *) copies;                /* of places with information */
	VEC(struct cfi_section *) sections;      /* the entries point into their memory */
	cfi_fdes fdes;
	u64 cfi;                         /* bytes of information */
};

static u32 word32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* length, 0 as its id, version, augmentation "z…": what all compilers of today write. */
static bool is_like_cie(const u8 *p, size_t len)
{
	u32 size = len >= 4 + CIE_LEAST ? word32(p) : 0;

	return size >= CIE_LEAST && size <= CIE_MOST && !(size % 4) && size <= len - 4 &&
	       !word32(p + 4) && (p[8] == 1 || p[8] == 3) && p[9] == 'z';
}

/* The entries from here on; returns how many bytes they have. */
static size_t take_section(struct search *s, const u8 *data, size_t len, u64 addr)
{
	struct cfi_section *sec = xcalloc(1, sizeof(*sec));
	cfi_fdes fdes = { 0 };
	u32 before = s->fdes.n;
	size_t n;

	sec->data = data;
	sec->len = len;
	sec->addr = addr;
	n = cfi_read(sec, &fdes);
	for (u32 i = 0; i < fdes.n; i++)
		if (fdes.v[i].begin >= s->start && fdes.v[i].end <= s->end)
			VEC_PUSH(&s->fdes, fdes.v[i]);
	VEC_FREE(&fdes);
	if (s->fdes.n > before) {
		VEC_PUSH(&s->sections, sec);
		s->cfi += n;
	} else {
		VEC_FREE(&sec->cies);
		free(sec);
	}
	return n;
}

static void search_bytes(struct search *s, const u8 *data, size_t len, u64 addr)
{
	for (size_t at = 0; at + 4 + CIE_LEAST <= len && s->fdes.n < FUNCTIONS_MOST;) {
		if (is_like_cie(data + at, len - at))
			at += ALIGN_UP(take_section(s, data + at, len - at, addr + at), 4);
		else
			at += 4;
	}
}

static struct unwind_table *end_search(struct search *s, const char **why)
{
	struct unwind_table *t = NULL;

	if (s->fdes.n)
		t = unwind_code(&s->fdes, s->start, s->end, s->cfi);
	else
		*why = "no call frame information in its memory";
	for (u32 i = 0; i < s->sections.n; i++) {
		VEC_FREE(&s->sections.v[i]->cies);
		free(s->sections.v[i]);
	}
	for (u32 i = 0; i < s->copies.n; i++)
		free(s->copies.v[i]);
	VEC_FREE(&s->sections);
	VEC_FREE(&s->copies);
	VEC_FREE(&s->places);
	VEC_FREE(&s->fdes);
	return t;
}

struct unwind_table *unwind_bytes(const void *data, size_t len, u64 addr, u64 start, u64 end,
				  const char **why)
{
	struct search s = { .start = start, .end = end };

	search_bytes(&s, data, len, addr);
	return end_search(&s, why);
}

/* ---- a process ------------------------------------------------------------------------------- */

static bool add_mapping(void *arg, struct proc_map *m)
{
	struct search *s = arg;
	struct place p = { m->start, m->end, 0 };
	bool has_file = *m->path && strncmp(m->path, "/memfd:", 7) &&
			strncmp(m->path, "[anon", 5);

	if (p.start >= s->end)
		p.distance = p.start - s->end;
	else if (p.end <= s->start)
		p.distance = s->start - p.end;
	if (m->readable && !has_file && p.distance < NEAR_BYTES)
		VEC_PUSH(&s->places, p);
	return true;
}

static int by_distance(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->distance > y->distance) - (x->distance < y->distance);
}

static void search_memory(struct search *s, int mem)
{
	u64 left = budget_share(SEARCH_BYTES);

	for (u32 i = 0; i < s->places.n; i++) {
		const struct place *p = &s->places.v[i];
		u64 size = MIN(p->end - p->start, left);
		u32 before = s->fdes.n;
		u8 *copy;
		ssize_t n;

		if (!size || (s->fdes.n && p->distance > ENOUGH_BYTES))
			break;
		copy = xmalloc(size);
		n = pread(mem, copy, size, (off_t)p->start);
		if (n > 0)
			search_bytes(s, copy, n, p->start);
		if (s->fdes.n > before)
			VEC_PUSH(&s->copies, copy);
		else
			free(copy);
		left -= size;
	}
}

/* Words by which the code is known again: spread over what has functions. */
static bool take_words(const struct search *s, int mem, struct dtx_jit *out)
{
	u64 first = s->end, last = s->start, step;

	for (u32 i = 0; i < s->fdes.n; i++) {
		first = MIN(first, s->fdes.v[i].begin);
		last = MAX(last, s->fdes.v[i].end);
	}
	if (last < first + sizeof(out->words[0].word))
		return false;
	step = (last - first - sizeof(out->words[0].word)) / (DTX_JIT_WORDS - 1);
	for (u32 i = 0; i < DTX_JIT_WORDS; i++) {
		out->words[i].addr = first + i * step;
		if (pread(mem, &out->words[i].word, sizeof(out->words[i].word),
			  (off_t)out->words[i].addr) != sizeof(out->words[i].word))
			return false;
	}
	return true;
}

struct unwind_table *unwind_process(u32 pid, u64 start, struct dtx_jit *out, const char **why)
{
	struct search s = { .start = start, .end = out->end };
	char path[32];
	int mem;

	*why = "its memory cannot be read";
	snprintf(path, sizeof(path), "/proc/%u/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return NULL;
	procmap_each(pid, add_mapping, &s);
	if (s.places.n)
		qsort(s.places.v, s.places.n, sizeof(*s.places.v), by_distance);
	search_memory(&s, mem);
	if (!take_words(&s, mem, out))
		s.fdes.n = 0;
	close(mem);
	return end_search(&s, why);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindpart.c - the unwind table of a large file, made by parts: of the pages that stacks lead to.
 *
 * LLVM's library has 118,000 functions, whose table takes 0.2 s; a stack passes through some dozen
 * of them.  The header for exception handling has a sorted list of all, so those of a part are
 * found without reading the others.  A part begins and ends on a page, and code without information
 * is never cut: what is known of it depends on all of it.
 *
 * The file stays mapped; what was read of it is given back (unwind_parts_rest()).  Programs whose
 * functions are (also) described elsewhere are not read this way: .debug_frame, and what Go keeps.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/code/cfi.h"

#define PART      16                     /* pages */
#define PAGE      (1ull << DTX_UW_PAGE_SHIFT)
#define REST      64                     /* parts after which what was read is given back */

struct unwind_parts {
	int fd;
	struct stat as_read;             /* of the file: one that is written to is read no more */
	struct elf_view file;
	struct frames frames;
	bool has_libc;
	struct cfi_list list;
	struct dtx_uw_range range[DTX_UW_RANGES];        /* of the segment of this number */
	struct uwtab *tab;
	u32 next_range;                  /* where unwind_part_any() goes on */
	u64 next_page;
	u32 made;                        /* since then */
};

/* ---- functions ------------------------------------------------------------------------------- */

static u64 list_begin(const struct unwind_parts *p, u32 i)
{
	s32 off;

	memcpy(&off, &p->list.at[i][0], sizeof(off));
	return p->list.addr + (u64)(s64)off;
}

/* The i-th function of the list; false: its entry is wrong. */
static bool list_fde(struct unwind_parts *p, u32 i, struct cfi_fde *f)
{
	s32 off;

	memcpy(&off, &p->list.at[i][1], sizeof(off));
	return cfi_read_at(&p->frames.eh, p->list.addr + (u64)(s64)off - p->frames.eh.addr, f) &&
	       f->begin == list_begin(p, i);
}

/* The number of functions that begin at or before addr. */
static u32 list_to(const struct unwind_parts *p, u64 addr)
{
	return BISECT(i, p->list.n, list_begin(p, i) > addr);
}

/* Where the code without information around addr begins and ends; false: there is information. */
static bool gap_at(struct unwind_parts *p, const struct segment *g, u64 addr, u64 *from, u64 *to)
{
	u32 i = list_to(p, addr), next = i;
	struct cfi_fde f;

	*from = g->vaddr;
	*to = g->vaddr + g->size;
	while (i && !list_fde(p, i - 1, &f))
		i--;
	if (i && f.end > addr)
		return false;
	if (i)
		*from = MAX(*from, f.end);
	while (next < p->list.n && !list_fde(p, next, &f))
		next++;
	if (next < p->list.n)
		*to = MIN(*to, f.begin);
	return *to - *from >= FRAMES_PADDING;
}

/* The functions of a part: also the one before it, which may reach into it, and the next one. */
static void take_functions(struct unwind_parts *p, u64 from, u64 to)
{
	u32 first = list_to(p, from), last = list_to(p, to);
	struct cfi_fde f;

	first -= first > 0;
	last += last < p->list.n;
	for (u32 i = first; i < last; i++)       /* CIEs move when others are added */
		list_fde(p, i, &f);
	p->frames.fdes.n = 0;
	for (u32 i = first; i < last; i++)
		if (list_fde(p, i, &f))
			VEC_PUSH(&p->frames.fdes, f);
	if (p->has_libc)
		frames_find_context(&p->frames, p->file.elf);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Addresses of the pages first … end of a segment. */
static struct segment segment_pages(const struct segment *g, u64 first, u64 end)
{
	u64 from = MAX(first * PAGE, g->off), to = MIN(end * PAGE, g->off + g->size);

	return (struct segment){ g->vaddr + (from - g->off), from, to - from };
}

/* No code without information is cut at the ends of the part. */
static void widen(struct unwind_parts *p, u32 range, u64 *first, u64 *end)
{
	const struct segment *g = &p->frames.segs.v[range];
	bool wider = true;
	u64 from, to;

	while (wider) {
		struct segment part = segment_pages(g, *first, *end);
		u64 was = *end - *first;

		if (gap_at(p, g, part.vaddr, &from, &to) && from < part.vaddr)
			*first = (from - g->vaddr + g->off) / PAGE;
		if (gap_at(p, g, part.vaddr + part.size - 1, &from, &to) &&
		    to > part.vaddr + part.size)
			*end = (to - g->vaddr + g->off + PAGE - 1) / PAGE;
		wider = *end - *first != was;
	}
}

static bool has_changed(const struct unwind_parts *p)
{
	struct stat now;

	return fstat(p->fd, &now) || now.st_size != p->as_read.st_size ||
	       now.st_mtim.tv_sec != p->as_read.st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != p->as_read.st_mtim.tv_nsec;
}

static bool make_part(struct unwind_parts *p, u32 range, u64 page)
{
	const struct dtx_uw_range *r = &p->range[range];
	u64 first = MAX(page / PART * PART, (u64)r->first);
	u64 end = MIN((page / PART + 1) * PART, (u64)r->first + r->npages);
	struct segment part;

	if (has_changed(p)) {
		uwtab_ask_no_more(p->tab);
		return false;
	}
	widen(p, range, &first, &end);
	part = segment_pages(&p->frames.segs.v[range], first, end);
	take_functions(p, part.vaddr, part.vaddr + part.size);
	uwtab_part(p->tab, range, first, end - first);
	frames_write(&p->frames, p->tab, &part);
	if (++p->made >= REST)
		unwind_parts_rest(p);
	return uwtab_part_end(p->tab);
}

bool unwind_part(struct unwind_parts *p, u64 page)
{
	for (u32 i = 0; i < p->frames.segs.n; i++)
		if (uwtab_asked(p->tab, i, page))
			return make_part(p, i, page);
	return false;
}

bool unwind_part_any(struct unwind_parts *p)
{
	for (; p->next_range < p->frames.segs.n; p->next_range++, p->next_page = 0) {
		const struct dtx_uw_range *r = &p->range[p->next_range];

		for (; p->next_page < r->npages; p->next_page++)
			if (uwtab_asked(p->tab, p->next_range, r->first + p->next_page))
				return make_part(p, p->next_range, r->first + p->next_page);
	}
	return false;
}

void unwind_parts_moved(struct unwind_parts *p, u32 *words)
{
	uwtab_moved(p->tab, words);
}

/* Nothing writes to the mapping: its pages are those of the file, and are read again. */
void unwind_parts_rest(struct unwind_parts *p)
{
	madvise(p->file.map, p->file.len, MADV_DONTNEED);
	p->made = 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Can its table be made by parts, and is that worth it? */
static bool is_large(struct unwind_parts *p, u64 least, const char *path)
{
	Elf *elf = p->file.elf;

	return frames_is_ours(elf) && cfi_find_list(elf, &p->list) &&
	       (cfi_find(elf, ".eh_frame", &p->frames.eh) ||
		cfi_find_by_header(elf, &p->frames.eh)) &&
	       p->frames.eh.len >= least && !gotab_is(elf) &&
	       !frames_has_debug(elf, path);
}

static bool ranges(struct unwind_parts *p)
{
	const struct segment *g = p->frames.segs.v;
	u64 end = 0;

	for (u32 i = 0; i < p->frames.segs.n; i++) {
		u64 first = g[i].off / PAGE, next = (g[i].off + g[i].size + PAGE - 1) / PAGE;

		if (first < end || next <= first || next > DTX_UW_PAGES)
			return false;
		p->range[i] = (struct dtx_uw_range){ (u32)first, (u32)(next - first), 0 };
		end = next;
	}
	return end;
}

struct unwind_parts *unwind_parts_open(int fd, const char *path, const struct unwind_room *room)
{
	struct unwind_parts *p = xcalloc(1, sizeof(*p));
	bool may = !fstat(fd, &p->as_read) && p->as_read.st_size > 0 &&
		   (u64)p->as_read.st_size >= room->least;

	p->fd = may ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
	p->file = elf_view(p->fd);
	if (p->file.map && p->file.elf && is_large(p, room->least, path)) {
		frames_segments(&p->frames, p->file.elf, p->file.len);
		frames_code(&p->frames, p->file.elf);
		p->has_libc = frames_has_libc(p->file.elf);
		p->tab = ranges(p) ? uwtab_parts(room, p->range, p->frames.segs.n) : NULL;
	}
	if (p->tab)
		return p;
	unwind_parts_free(p);
	return NULL;
}

void unwind_parts_free(struct unwind_parts *p)
{
	if (!p)
		return;
	uwtab_free(p->tab);
	frames_free(&p->frames);
	elf_view_end(&p->file);
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwind.c - makes the table by which the stacks of a program are unwound (dtx/unwind.h) from its
 * call frame information.
 *
 * The ranges of functions come from .eh_frame; where it has none, from .debug_frame of the object
 * or of its debug file.  They are sorted by address, their programs run (cfirun.c), and the rows
 * are written in that order (unwindtab.c).
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <gelf.h>

#include "runtime/code/cfi.h"
#include "runtime/code/code.h"

#define CODE_MOST     (8u << 20)         /* bytes without information that are looked at */
#define NAMED_LEAST   16384              /* bytes without information that symbols are read for */
#define MOVED_MOST    4096               /* bytes of a function that moves to another stack */

/* ---- functions ---------------------------------------------------------------------------- */

static void sort_fdes(cfi_fdes *f)
{
	struct sort_key *order;
	cfi_fdes sorted = { 0 };
	bool is_sorted = true;

	for (u32 i = 1; i < f->n; i++)
		is_sorted &= f->v[i - 1].begin <= f->v[i].begin;
	if (is_sorted)
		return;
	order = xmalloc(f->n * sizeof(*order));
	for (u32 i = 0; i < f->n; i++)
		order[i] = (struct sort_key){ f->v[i].begin, i };
	sort_keys(order, f->n);
	for (u32 i = 0; i < f->n; i++)
		VEC_PUSH(&sorted, f->v[order[i].i]);
	free(order);
	VEC_FREE(f);
	*f = sorted;
}

/* Does a function of the sorted ones share an address with f? */
static bool is_covered(const cfi_fdes *sorted, u32 n, const struct cfi_fde *f)
{
	u32 lo = BISECT(i, n, sorted->v[i].begin >= f->end);

	return lo && sorted->v[lo - 1].end > f->begin;
}

static void find_go_asm(struct frames *s, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB &&
				 sh.sh_entsize ? elf_data(scn) : NULL;

		for (size_t i = 1; data && i < sh.sh_size / sh.sh_entsize; i++) {
			const char *name = gelf_getsym(data, (int)i, &sym) ?
					   elf_strptr(elf, sh.sh_link, sym.st_name) : NULL;

			if (name)
				goasm_note(&s->go, name, sym.st_value);
		}
	}
}

/* The C library, or what links no library, as static programs do, which have it in them. */
bool frames_has_libc(Elf *elf)
{
	const char *name = NULL;
	bool needs = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;

	while ((scn = elf_nextscn(elf, scn)) && !name) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC ?
				 elf_data(scn) : NULL;

		for (int i = 0; data && !name && gelf_getdyn(data, i, &dyn); i++) {
			needs |= dyn.d_tag == DT_NEEDED;
			if (dyn.d_tag == DT_SONAME)
				name = elf_strptr(elf, sh.sh_link, dyn.d_un.d_val);
		}
	}
	return name ? !strncmp(name, "libc.so.", 8) : !needs;
}

/*
 * The C library's __start_context, to which the first function of makecontext() returns: its
 * information does not say that a stack ends there.
 */
void frames_find_context(struct frames *s, Elf *elf)
{
	static const char code[] = ARCH_CONTEXT_CODE;

	for (u32 n = 0; n < s->segs.n; n++) {
		u64 from = s->segs.v[n].vaddr;
		const Elf_Data *data = cfi_segment(elf, from);

		for (u32 i = 0; i < s->fdes.n && data && data->d_buf; i++) {
			u64 at = s->fdes.v[i].begin - from;
			u64 len = s->fdes.v[i].end - s->fdes.v[i].begin;

			if (len >= sizeof(code) - 1 && len <= ARCH_CONTEXT_MOST &&
			    at < data->d_size && len <= data->d_size - at &&
			    !memcmp((const u8 *)data->d_buf + at, code, sizeof(code) - 1))
				s->context = s->fdes.v[i].begin;
		}
	}
}

/* Adds the functions that have no other information. */
static void add_debug_frame(struct frames *s)
{
	u32 n = s->fdes.n;
	cfi_fdes more = { 0 };

	cfi_read(&s->debug, &more);
	for (u32 i = 0; i < more.n; i++)
		if (!is_covered(&s->fdes, n, &more.v[i]))
			VEC_PUSH(&s->fdes, more.v[i]);
	VEC_FREE(&more);
	sort_fdes(&s->fdes);
}

static void add_gofunc(void *arg, const struct gofunc *g)
{
	struct frames *s = arg;
	struct cfi_fde f = { g->begin, g->end, NULL, g->sp };

	goasm_note(&s->go, g->name, g->begin);
	VEC_PUSH(&s->fdes, f);
}

/* A stripped program of Go: its own runtime knows its frames. */
static void add_gofuncs(struct frames *s, Elf *elf)
{
	u32 n = s->fdes.n, kept = n;

	if (!gotab_each(elf, add_gofunc, s))
		return;
	for (u32 i = n; i < s->fdes.n; i++)
		if (!is_covered(&s->fdes, n, &s->fdes.v[i]))
			s->fdes.v[kept++] = s->fdes.v[i];
	s->fdes.n = kept;
	sort_fdes(&s->fdes);
}

/* ---- rows --------------------------------------------------------------------------------- */

struct writing {
	struct uwtab *tab;
	const struct segment *seg;
	u64 begin;               /* of the function */
	u64 from;                /* the function before ends here: its rows go no further */
	bool is_go;
	bool is_handler;         /* of Go's signals */
	s16 pushed;              /* bytes of the caller's stack, before the call */
};

/* The caller's stack pointer is further up than what the function was called with. */
static void add_pushed(struct dtx_uw_rule *r, s16 pushed)
{
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		r->at[i] -= r->saved >> i & 1 ? pushed : 0;
	r->off += pushed;
}

static void write_row(void *arg, u64 addr, const struct dtx_uw_rule *rule)
{
	struct writing *w = arg;
	u64 at = (addr <= w->begin ? w->from : MAX(addr, w->from)) - w->seg->vaddr;
	struct dtx_uw_rule go = *rule;

	if (rule->kind == DTX_UW_END) {
		if (w->is_handler)               /* it returns, which Go does not say */
			arch_go_rule(rule->off - ARCH_ENTRY_CFA, &go);
		else
			go.off = 0;
	}
	if (w->is_go)                            /* Go does not say it */
		arch_go_keeps_fp(&go);
	if (w->pushed && go.kind == DTX_UW_CFA)
		add_pushed(&go, w->pushed);
	rule = &go;
	if (at < w->seg->size)
		uwtab_row(w->tab, w->seg->off + at, rule);
}

/* The rule for a function whose information is wrong; NULL: as its information says. */
static const struct dtx_uw_rule *own_rule(const struct frames *s, u64 begin)
{
	static const struct dtx_uw_rule end = { .kind = DTX_UW_END };
	const struct dtx_uw_rule *go = begin ? goasm_rule(&s->go, begin) : NULL;

	return go ? go : begin && begin == s->context ? &end : NULL;
}

static bool is_returned_to(const struct frames *s, u64 begin)
{
	const struct dtx_uw_rule *own = own_rule(s, begin);

	return own && (own->kind == DTX_UW_SIGNAL || begin == s->context);
}

/* The code of a function that moves to another stack: where that is valid. */
static void find_moved(const struct frames *s, u64 begin, u64 end, u64 *from, u64 *to)
{
	const struct segment *g = s->segs.v;
	const Elf_Data *d;

	*from = *to = end - begin;
	while (g < s->segs.v + s->segs.n && begin - g->vaddr >= g->size)
		g++;
	d = g < s->segs.v + s->segs.n && end - begin < MOVED_MOST && s->elf ?
	    elf_getdata_rawchunk(s->elf, (int64_t)(begin - g->vaddr + g->off), end - begin,
				 ELF_T_BYTE) : NULL;
	if (d && d->d_buf)
		goasm_moved(d->d_buf, d->d_size, from, to);
	*from += begin;
	*to += begin;
}

static void run(const struct cfi_fde *f, struct writing *w)
{
	if (f->cie)
		cfi_run(f, write_row, w);
	else
		gotab_frames(f, write_row, w);
}

/* Keeps the rule of a function that has made its frame. */
static void keep_framed(void *arg, u64 addr, const struct dtx_uw_rule *rule)
{
	struct dtx_uw_rule *framed = arg;

	if (rule->kind == DTX_UW_CFA && rule->off > framed->off)
		*framed = *rule;
}

/* Where it has moved to another stack. */
static const struct dtx_uw_rule *moved_rule(const struct cfi_fde *f, struct dtx_uw_rule *room)
{
	struct dtx_uw_rule framed = { 0 };

	if (f->cie)
		cfi_run(f, keep_framed, &framed);
	else
		gotab_frames(f, keep_framed, &framed);
	return arch_go_switched(&framed, room) ? room : &arch_go_switch;
}

/* The rows of a function. */
static void write_function(const struct frames *s, struct writing *w, const struct cfi_fde *f)
{
	const struct dtx_uw_rule *own = own_rule(s, f->begin);
	struct dtx_uw_rule moved;
	struct cfi_fde first = *f;

	if (own && goasm_moves(&s->go, f->begin) && !goasm_calls_c(&s->go, f->begin))
		own = moved_rule(f, &moved);

	w->begin = f->begin;
	w->is_handler = goasm_is_handler(&s->go, f->begin);
	w->pushed = goasm_pushed(&s->go, f->begin);
	w->is_go = !f->cie || (s->go.n && f->cie >= s->debug.cies.v &&
			       f->cie < s->debug.cies.v + s->debug.cies.n);
	if (is_returned_to(s, f->begin)) {       /* not called: looked up a byte before it */
		w->from = MAX(w->seg->vaddr, MIN(w->from, f->begin - 1));
		write_row(w, f->begin, own);
	} else if (own && goasm_moves(&s->go, f->begin)) {
		u64 to;

		find_moved(s, f->begin, f->end, &first.end, &to);
		run(&first, w);
		if (first.end < f->end)
			write_row(w, first.end, own);
		w->from = MAX(w->from, to);
		if (to < f->end)
			run(f, w);
	} else if (own) {                        /* at its entry the stack is the caller's */
		first.end = f->begin + 1;
		run(&first, w);
		write_row(w, first.end, own);
	} else {
		run(f, w);
	}
	w->from = f->end;
}

/* The first function that ends after addr; they are sorted, and may overlap if the file lies. */
static u32 first_fde(const cfi_fdes *f, u64 addr)
{
	u32 i = 0;

	while (i < f->n && f->v[i].end <= addr)
		i++;
	return i;
}

/*
 * A function of V8's builtins, which keep no registers for each other; or the one that says where
 * they are, whose name a library has even where theirs are not kept.
 */
static bool is_v8(const char *name)
{
	return name && (!strcmp(name, "Builtins_JSEntry") ||
			!strcmp(name, "_ZN2v88internal23DefaultEmbeddedBlobCodeEv"));
}

/* The functions that a table of symbols names between two addresses. */
static void add_starts(struct frames *s, u32 table, u64 from, u64 to)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(s->elf, scn))) {
		Elf_Data *d = gelf_getshdr(scn, &sh) && sh.sh_type == table && sh.sh_entsize ?
			      elf_data(scn) : NULL;

		for (size_t i = 1; d && i < sh.sh_size / sh.sh_entsize; i++)
			if (gelf_getsym(d, (int)i, &sym) && sym.st_value - from < to - from &&
			    sym.st_shndx != SHN_UNDEF && GELF_ST_TYPE(sym.st_info) == STT_FUNC) {
				VEC_PUSH(&s->starts, sym.st_value);
				s->known.keeps_none |= is_v8(elf_strptr(s->elf, sh.sh_link,
									sym.st_name));
			}
	}
}

/*
 * What is known of the code between two addresses.  The large table of symbols is read for large
 * pieces of code only, as there are few.
 */
static const struct codeflow_known *known_code(struct frames *s, u64 from, u64 to)
{
	if (!s->has_starts)
		add_starts(s, SHT_DYNSYM, 1, ~0ull);
	if (!s->has_starts) {
		s->exported = s->starts.n;
		s->has_v8 = s->known.keeps_none;
	}
	s->has_starts = true;
	s->starts.n = s->exported;
	s->known.keeps_none = false;
	if (to - from >= NAMED_LEAST)
		add_starts(s, SHT_SYMTAB, from, to);
	s->known.is_filled = s->has_v8 && to - from >= NAMED_LEAST && !s->known.keeps_none;
	s->known.keeps_none |= s->known.is_filled;
	s->known.starts = s->starts.v;
	s->known.n = s->starts.n;
	return &s->known;
}

/* Code without information, up to `end`: its rules are those that its instructions tell. */
static void write_gap(struct frames *s, struct writing *w, u64 end)
{
	static const struct dtx_uw_rule none = { .kind = DTX_UW_NONE };

	w->begin = w->from;
	w->is_go = false;
	w->pushed = 0;
	write_row(w, w->from, &none);
	for (u32 i = 0; i < s->code.n; i++) {
		const struct segment *c = &s->code.v[i];
		u64 from = MAX(w->from, c->vaddr), to = MIN(end, c->vaddr + c->size);
		const Elf_Data *d;

		if (from >= to || to - from > CODE_MOST - MIN(s->scanned, CODE_MOST))
			continue;
		d = elf_getdata_rawchunk(s->elf, (int64_t)(from - c->vaddr + c->off), to - from,
					 ELF_T_BYTE);
		s->scanned += to - from;
		w->begin = w->from = from;
		if (d && d->d_buf && d->d_size)
			codeflow_rules(d->d_buf, from, (u32)d->d_size, known_code(s, from, to),
				       write_row, w);
	}
	w->from = end;
}

void frames_write(struct frames *s, struct uwtab *tab, const struct segment *g)
{
	struct writing w = { tab, g, g->vaddr, g->vaddr };
	u64 end = g->vaddr + g->size;

	for (u32 i = first_fde(&s->fdes, g->vaddr); i < s->fdes.n; i++) {
		const struct cfi_fde *f = &s->fdes.v[i];

		/* Padding belongs to the function that follows: no row of its own. */
		if (f->begin >= end && f->begin >= w.from + FRAMES_PADDING &&
		    (f->begin > end || !is_returned_to(s, f->begin)))
			break;
		if (f->end <= w.from)
			continue;
		if (f->begin >= w.from + FRAMES_PADDING)
			write_gap(s, &w, MIN(f->begin, end));
		write_function(s, &w, f);
	}
	if (w.from < end)
		write_gap(s, &w, end);
}

static struct unwind_table *write_table(struct frames *s)
{
	static const struct dtx_uw_rule none = { .kind = DTX_UW_NONE };
	struct uwtab *tab = uwtab_new();
	u64 first, end;
	u32 i = 0;

	while (i < s->segs.n) {
		u32 next = frames_range(s, i, &first, &end);
		bool has_room = uwtab_range(tab, first, end - first);
		u64 done = 0;

		for (; i < next; i++) {
			const struct segment *g = &s->segs.v[i];

			if (!has_room || !g->size || g->off < done)
				continue;
			if (done && g->off > done)
				uwtab_row(tab, done, &none);     /* between two of a page */
			frames_write(s, tab, g);
			done = g->off + g->size;
		}
	}
	return uwtab_end(tab, s->cfi);
}

struct unwind_table *unwind_code(cfi_fdes *fdes, u64 start, u64 end, u64 cfi)
{
	struct segment g = { start, 0, end - start };
	struct frames s = { .cfi = cfi };
	struct unwind_table *t;

	sort_fdes(fdes);
	s.fdes = *fdes;
	VEC_PUSH(&s.segs, g);
	t = write_table(&s);
	VEC_FREE(&s.segs);
	return t;
}

/* ---- objects ------------------------------------------------------------------------------ */

bool frames_is_ours(Elf *elf)
{
	GElf_Ehdr eh;

	return elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &eh) &&
	       gelf_getclass(elf) == ELFCLASS64 && eh.e_machine == ARCH_ELF_MACHINE &&
	       (eh.e_type == ET_EXEC || eh.e_type == ET_DYN);
}

/* The .debug_frame of the first debug file that has one.  *debug and *fd are for the caller to
 * close. */
static bool find_in_debug_file(Elf *elf, const char *path, struct cfi_section *s, Elf **debug,
			       int *fd)
{
	struct arena *a = arena_new();
	bool found = false;

	for (const char **file = debug_files(a, elf, path, NULL); *file && !found; file++) {
		*debug = elf_open_path(*file, fd);
		found = frames_is_ours(*debug) && cfi_find(*debug, ".debug_frame", s);
		if (found)
			break;
		elf_close_fd(*debug, *fd);
		*debug = NULL;
		*fd = -1;
	}
	arena_free(a);
	return found;
}

bool frames_has_debug(Elf *elf, const char *path)
{
	struct cfi_section s;
	Elf *debug = NULL;
	int fd = -1;
	bool has = cfi_find(elf, ".debug_frame", &s) ||
		   (path && find_in_debug_file(elf, path, &s, &debug, &fd));

	elf_close_fd(debug, fd);
	return has;
}

void frames_free(struct frames *s)
{
	VEC_FREE(&s->eh.cies);
	VEC_FREE(&s->debug.cies);
	VEC_FREE(&s->fdes);
	VEC_FREE(&s->segs);
	VEC_FREE(&s->code);
	VEC_FREE(&s->starts);
}

static struct unwind_table *read_object(Elf *elf, u64 size, const char *path, const char **why)
{
	struct frames s = { 0 };
	struct unwind_table *t = NULL;
	Elf *debug = NULL;
	int fd = -1;

	frames_segments(&s, elf, size);
	if (cfi_find(elf, ".eh_frame", &s.eh) || cfi_find_by_header(elf, &s.eh))
		cfi_read(&s.eh, &s.fdes);
	sort_fdes(&s.fdes);
	if (cfi_find(elf, ".debug_frame", &s.debug) ||
	    (path && find_in_debug_file(elf, path, &s.debug, &debug, &fd))) {
		add_debug_frame(&s);
		find_go_asm(&s, elf);
	}
	if (!s.go.n)
		add_gofuncs(&s, elf);
	if (frames_has_libc(elf))
		frames_find_context(&s, elf);
	s.cfi = s.eh.len + s.debug.len;
	frames_code(&s, elf);
	if (s.fdes.n || s.code.n)
		t = write_table(&s);
	else
		*why = "no call frame information";
	elf_close_fd(debug, fd);
	frames_free(&s);
	return t;
}

static struct unwind_table *read_elf(Elf *elf, u64 size, const char *path, const char **why)
{
	struct unwind_table *t = NULL;

	*why = "not a program or library of this machine";
	if (frames_is_ours(elf))
		t = read_object(elf, size, path, why);
	elf_end(elf);
	return t;
}

struct unwind_table *unwind_read(int fd, const char *path, const char **why)
{
	struct stat st;

	elf_version(EV_CURRENT);
	if (fstat(fd, &st) || st.st_size <= 0) {
		*why = "the file cannot be read";
		return NULL;
	}
	return read_elf(elf_open_fd(fd), st.st_size, path, why);
}

struct rules { struct unwind_table *table; };    /* NULL: none */

static u64 rules_bytes(void *part)
{
	const struct rules *r = part;

	return r->table ? r->table->nwords * 4ull : 0;
}

static void rules_drop(void *part)
{
	unwind_free(((struct rules *)part)->table);
	free(part);
}

const struct unwind_table *unwind_of(struct codefile *f, const char *path)
{
	static const struct codefile_part ops = { rules_bytes, rules_drop };
	struct rules *r = codefile_part(f, CODE_RULES);
	const char *why;

	if (!r) {
		r = xcalloc(1, sizeof(*r));
		r->table = unwind_read(codefile_fd(f), path, &why);
		codefile_set_part(f, CODE_RULES, r, &ops);
	}
	return r->table;
}

struct ruling { u64 addr; struct dtx_uw_rule *rule; };

static void take_row(void *arg, u64 addr, const struct dtx_uw_rule *rule)
{
	struct ruling *r = arg;

	if (addr <= r->addr)
		*r->rule = *rule;
}

bool unwind_debug_rule(Elf *elf, u64 addr, struct dtx_uw_rule *rule)
{
	struct ruling r = { addr, rule };
	struct cfi_section s = { 0 };
	cfi_fdes fdes = { 0 };
	bool found = false;

	if (cfi_find(elf, ".debug_frame", &s))
		cfi_read(&s, &fdes);
	for (u32 i = 0; i < fdes.n && !found; i++) {
		found = addr >= fdes.v[i].begin && addr < fdes.v[i].end;
		if (found)
			cfi_run(&fdes.v[i], take_row, &r);
	}
	VEC_FREE(&fdes);
	VEC_FREE(&s.cies);
	return found;
}

struct unwind_table *unwind_memory(void *image, size_t len, const char **why)
{
	elf_version(EV_CURRENT);
	return read_elf(elf_memory(image, len), len, NULL, why);
}

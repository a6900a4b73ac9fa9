/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.c - symbols of an ELF object: functions and data, by address and by name.
 *
 * It reads .symtab; for a stripped object that of its debug file (debugfile.c), else .dynsym and
 * .gnu_debugdata.  Everything needed later is copied, because the file may change or vanish.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include <dtx/arch.h>

#include "runtime/code/cfi.h"
#include "runtime/code/code.h"

#define REACH_MOST  1024u        /* bytes of a function without a size that are looked at */
#define STOP_MASK   4095u        /* symbols between questions whether to stop */
#define NAMES_SHARED 8u          /* so often a table of names is read, as names can share bytes */
#define SEGS_MOST   256u         /* of a file: each symbol is looked for in all of them */
#define REACH_ROWS  8192         /* such functions of one object */

/* Of symbols at one address the best name is shown: lowest rank first. */
struct symrow {
	struct elfsym sym;
	u32 rank, section;
	u32 reach;                       /* bytes of code without a size, 0: not known */
};

struct elfsyms {
	struct arena *arena;
	VEC(struct elfseg) segs;         /* PT_LOAD */
	VEC(struct symrow) funcs, objects;
	VEC(struct symrow) stubs;        /* of calls to other objects: names for addresses only */
	struct map *names;               /* functions; made on first use */
	struct map *only;                /* rows whose names no other has; made on first use */
	const char *file;                /* whose symbols are being read */
	bool stripped;                   /* had no .symtab */
	bool knows_twice;                /* is_twice of all functions is set */
	bool unlinked;                   /* symbols count from their section */
	bool bits32;                     /* of a 32-bit program */
	u64 counted;                     /* symbols, by budget_symbols() */
	u8 build_id[BUILD_ID_MOST];
	u32 id_len;
};

/* ---- reading ------------------------------------------------------------------- */

static void read_segments(struct elfsyms *s, Elf *elf)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < MIN(n, (size_t)SEGS_MOST) && gelf_getphdr(elf, (int)i, &ph); i++) {
		if (ph.p_type == PT_LOAD) {
			struct elfseg seg = { ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_memsz,
					      ph.p_flags & PF_X };

			VEC_PUSH(&s->segs, seg);
		}
	}
}

static u32 sym_rank(const GElf_Sym *sym, const char *name)
{
	static const u8 binds[] = { [STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1 };
	u32 bind = GELF_ST_BIND(sym->st_info), under = 0;

	while (name[under] == '_' && under < 99)
		under++;
	return (sym->st_size ? 0 : 1000) + under * 10 +
	       (bind < ARRAY_SIZE(binds) ? binds[bind] : 3);
}

/* `name` is kept.  NAME@VERSION and NAME@@VERSION, which is today's, lose their versions. */
static void add_symbol(struct elfsyms *s, Elf *elf, const GElf_Sym *sym, char *name, bool is_old)
{
	u32 type = GELF_ST_TYPE(sym->st_info);
	bool func = type == STT_FUNC || type == STT_GNU_IFUNC ||
		    (type == STT_NOTYPE && elf_section_runs(elf, sym->st_shndx));
	u64 base = s->unlinked ? elf_section_addr(elf, sym->st_shndx) : 0;
	struct symrow row;
	char *version;

	if (type == STT_FILE)
		s->file = name && *name ? name : NULL;
	if (!name || !*name || sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE ||
	    (!func && type != STT_OBJECT) || !(sym->st_value + base) || *name == '$')
		return;
	row.sym = (struct elfsym){ .addr = sym->st_value + base, .size = sym->st_size, .name = name,
				   .is_ifunc = type == STT_GNU_IFUNC,
				   .is_label = type == STT_NOTYPE,
				   .is_variant = sym->st_other & ARCH_SYM_VARIANT };
	version = strchr(name, '@');
	if (version)
		*version = '\0';
	row.sym.is_old = is_old || (version && version[1] != '@');
	if (GELF_ST_BIND(sym->st_info) == STB_LOCAL)
		row.sym.file = s->file;
	row.sym.file_off = elfsyms_file_off(s, row.sym.addr);
	row.rank = sym_rank(sym, name);
	row.section = sym->st_shndx;
	row.reach = 0;
	if (func)
		VEC_PUSH(&s->funcs, row);
	else
		VEC_PUSH(&s->objects, row);
}

/* A copy of the string table, with a NUL after it; *len is 0 if there is none. */
static char *copy_names(struct elfsyms *s, Elf *elf, u32 section, size_t *len)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	Elf_Data *data = scn ? elf_data(scn) : NULL;
	GElf_Shdr sh;
	char *names;

	*len = 0;
	if (!data || !data->d_buf || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_STRTAB ||
	    sh.sh_flags & SHF_COMPRESSED)
		return NULL;
	*len = data->d_size;
	names = arena_alloc(s->arena, data->d_size + 1);
	memcpy(names, data->d_buf, data->d_size);
	guard_forget(data->d_buf, data->d_size);
	return names;
}

static char *table_name(char *names, size_t len, u64 at, u64 *left)
{
	char *name = at < len ? (char *)budget_name(names + at, len - at + 1, left) : NULL;

	if (!*left)
		budget_refuse("a file with symbols whose names are the same bytes");
	return name;
}

/* Adds all symbols of the first section of this type; false: no such section, too many, or the
 * user wants an end: then there are none, since those read would give wrong names to others. */
static bool read_table(struct elfsyms *s, Elf *elf, u32 type)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data, *versions;
	size_t len;
	u64 left;
	char *names;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		if (!budget_symbols(sh.sh_size / sh.sh_entsize, elf_names_size(elf, sh.sh_link),
				    &s->counted) || budget_stopped())
			return false;
		data = elf_data(scn);
		versions = type == SHT_DYNSYM ? elf_versions(elf) : NULL;
		names = copy_names(s, elf, sh.sh_link, &len);
		left = NAMES_SHARED * (u64)len + 1;
		for (size_t i = 1; data && i < sh.sh_size / sh.sh_entsize; i++) {
			if (!left || (!(i & STOP_MASK) && budget_stopped())) {
				s->funcs.n = s->objects.n = 0;
				return false;
			}
			if (gelf_getsym(data, (int)i, &sym))
				add_symbol(s, elf, &sym, table_name(names, len, sym.st_name, &left),
					   elf_is_old_version(versions, i));
		}
		return data;
	}
	return false;
}

/* ---- debug files ----------------------------------------------------------------- */

static void read_debug_file(struct elfsyms *s, const char *path)
{
	int fd;
	Elf *debug = elf_open_path(path, &fd);

	if (debug && read_table(s, debug, SHT_SYMTAB))
		s->stripped = false;
	elf_close_fd(debug, fd);
}

static void read_debug_files(struct elfsyms *s, Elf *elf, const char *path)
{
	const char *fetched;
	const char **file = debug_files(s->arena, elf, path, NULL);

	for (; *file && s->stripped; file++)
		read_debug_file(s, *file);
	fetched = s->stripped ? debug_fetch(s->arena, elf) : NULL;
	if (fetched)
		read_debug_file(s, fetched);
}

static void read_minidebug(struct elfsyms *s, Elf *elf)
{
	size_t len;
	void *image = budget_stopped() ? NULL : minidebug_read(elf, &len);
	Elf *mini = image ? elf_memory(image, len) : NULL;

	if (mini)
		read_table(s, mini, SHT_SYMTAB);
	elf_end(mini);
	free(image);
}

static void add_gofunc(void *arg, const struct gofunc *f)
{
	struct elfsyms *s = arg;
	struct symrow row = { .sym = { .addr = f->begin, .size = f->end - f->begin } };

	row.sym.name = arena_strdup(s->arena, f->name);
	row.sym.file_off = elfsyms_file_off(s, f->begin);
	if (row.sym.file_off != ~0ull)
		VEC_PUSH(&s->funcs, row);
}

static void add_stub(void *arg, const char *name, u64 addr, u64 size)
{
	struct elfsyms *s = arg;
	struct symrow row = { .sym = { .addr = addr, .size = size } };

	row.sym.name = arena_printf(s->arena, "%s@plt", name);
	row.sym.file_off = elfsyms_file_off(s, addr);
	VEC_PUSH(&s->stubs, row);
}

/* ---- order ------------------------------------------------------------------------- */

static int row_cmp(const void *pa, const void *pb)
{
	const struct symrow *a = pa, *b = pb;

	if (a->sym.addr != b->sym.addr)
		return a->sym.addr < b->sym.addr ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strcmp(a->sym.name, b->sym.name);
}

static void sort_by_address(struct symrow *v, u32 n)
{
	struct sort_key *order = xcalloc(n, sizeof(*order));

	for (u32 i = 0; i < n; i++)
		order[i] = (struct sort_key){ v[i].sym.addr, i };
	sort_keys(order, n);
	for (u32 i = 0; i < n; i++) {    /* in place: one cycle after the other */
		struct symrow first = v[i];
		u32 at = i, next;

		for (; (next = order[at].i) != i; at = next) {
			v[at] = v[next];
			order[at].i = at;
		}
		v[at] = first;
		order[at].i = at;
	}
	free(order);
}

/* Sorts the rows, and leaves out what is there twice: returns how many remain. */
static u32 sort_rows(struct symrow *v, u32 n)
{
	u32 kept = 0;

	if (n)
		sort_by_address(v, n);
	for (u32 i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && v[end].sym.addr == v[i].sym.addr;)
			end++;
		if (end - i > 1)
			qsort(v + i, end - i, sizeof(*v), row_cmp);
	}
	for (u32 i = 0; i < n; i++) {
		if (!kept || v[kept - 1].sym.addr != v[i].sym.addr ||
		    strcmp(v[kept - 1].sym.name, v[i].sym.name))
			v[kept++] = v[i];
	}
	return kept;
}

/* Functions of assembly often have no size: they do not name what follows them. */
static void set_reach(struct elfsyms *s, Elf *elf)
{
	for (u32 i = 0, n = 0; i < s->funcs.n && n < REACH_ROWS; i++) {
		struct symrow *r = &s->funcs.v[i];
		u64 next = i + 1 < s->funcs.n ? s->funcs.v[i + 1].sym.addr - r->sym.addr : ~0ull;
		const Elf_Data *code;

		if (r->sym.size || r->sym.file_off == ~0ull || !next)
			continue;
		code = elf_getdata_rawchunk(elf, (int64_t)r->sym.file_off, MIN(next, REACH_MOST),
					    ELF_T_BYTE);
		if (code && code->d_buf)
			r->reach = code_reach(code->d_buf, code->d_size);
		n++;
	}
}

static void read_build_id(struct elfsyms *s, Elf *elf)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	s->id_len = n > 0 && n <= BUILD_ID_MOST ? (u32)n : 0;
	if (s->id_len)
		memcpy(s->build_id, id, s->id_len);
}

static struct elfsyms *elfsyms_read(Elf *elf, const char *path)
{
	struct elfsyms *s = xcalloc(1, sizeof(*s));

	s->arena = arena_new();
	read_build_id(s, elf);
	read_segments(s, elf);
	s->unlinked = elf_is_unlinked(elf);
	s->bits32 = elf_is_32bit(elf);
	if (s->unlinked)
		elf_lay_out(elf);
	s->stripped = !read_table(s, elf, SHT_SYMTAB);
	if (s->stripped && path)
		read_debug_files(s, elf, path);
	if (s->stripped) {
		read_table(s, elf, SHT_DYNSYM);
		read_minidebug(s, elf);
		gotab_each(elf, add_gofunc, s);
	}
	plt_each(elf, add_stub, s);
	s->stubs.n = sort_rows(s->stubs.v, s->stubs.n);
	s->funcs.n = sort_rows(s->funcs.v, s->funcs.n);
	s->objects.n = sort_rows(s->objects.v, s->objects.n);
	if (!s->unlinked)
		set_reach(s, elf);
	return s;
}

struct elfsyms *elfsyms_fd(int fd, const char *path)
{
	struct elf_view view = elf_view(fd);
	struct elfsyms *s = NULL;

	if (view.elf && elf_kind(view.elf) == ELF_K_ELF)
		s = elfsyms_read(view.elf, path);
	if (elf_view_end(&view))
		return s;
	elfsyms_close(s);
	return NULL;
}

struct elfsyms *elfsyms_memory(void *image, size_t len)
{
	struct elfsyms *s = NULL;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory(image, len);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		s = elfsyms_read(elf, NULL);
	elf_end(elf);
	return s;
}

struct elfsyms *elfsyms_open(const char *path, const char **err)
{
	int fd = file_open_object(path, 0);
	struct elfsyms *s;

	if (fd < 0) {
		if (err)
			*err = fd == -ENOENT ? "no such file" : fd == -EACCES ?
			       "permission denied" : "cannot be opened";
		return NULL;
	}
	s = elfsyms_fd(fd, path);
	close(fd);
	if (!s && err)
		*err = "not an ELF object";
	return s;
}

void elfsyms_close(struct elfsyms *s)
{
	if (!s)
		return;
	budget_symbols_free(s->counted);
	VEC_FREE(&s->segs);
	VEC_FREE(&s->funcs);
	VEC_FREE(&s->objects);
	VEC_FREE(&s->stubs);
	map_free(s->names);
	map_free(s->only);
	arena_free(s->arena);
	free(s);
}

#define MAP_BYTES 24             /* of an entry of a map whose keys are kept */

u64 elfsyms_bytes(const struct elfsyms *s)
{
	u64 rows = (u64)s->funcs.cap + s->objects.cap + s->stubs.cap;
	u64 named = (s->names ? map_count(s->names) : 0) + (s->only ? map_count(s->only) : 0);

	return sizeof(*s) + arena_size(s->arena) + rows * sizeof(*s->funcs.v) + named * MAP_BYTES;
}

u32 elfsyms_build_id(const struct elfsyms *s, u8 id[BUILD_ID_MOST])
{
	memcpy(id, s->build_id, s->id_len);
	return s->id_len;
}

/* ---- questions --------------------------------------------------------------------------- */

static const struct elfsym *row_at(const struct symrow *v, u32 n, u64 addr)
{
	u32 lo = BISECT(i, n, v[i].sym.addr > addr), first;
	u64 size;

	if (!lo)
		return NULL;
	for (first = lo - 1; first && v[first - 1].sym.addr == v[lo - 1].sym.addr; first--)
		;
	size = v[first].sym.size ? v[first].sym.size : v[first].reach;
	return size && addr - v[first].sym.addr >= size ? NULL : &v[first].sym;
}

bool elfsyms_32bit(const struct elfsyms *s)
{
	return s->bits32;
}

const struct elfsym *elfsyms_at(struct elfsyms *s, u64 addr)
{
	const struct elfsym *f = row_at(s->funcs.v, s->funcs.n, addr);
	const struct elfsym *o = !f || !f->size ? row_at(s->objects.v, s->objects.n, addr) : NULL;

	if (!f || !f->size) {
		const struct elfsym *stub = row_at(s->stubs.v, s->stubs.n, addr);

		if (stub)
			return stub;
	}
	return o && (o->size || !f) ? o : f;
}

/* A global function goes before static ones of its name, and before older versions.  Also finds
 * out which static ones have a name that others have. */
static void names_add(struct map *names, struct elfsym *sym)
{
	struct elfsym *other = map_add(names, sym->name, sym);

	if (other && other->addr != sym->addr && (other->file || sym->file)) {
		other->is_twice = other->is_twice || other->file;
		sym->is_twice = sym->file;
	}
	if (other && (other->file || (!sym->file && (other->is_old || !sym->is_old))))
		map_set(names, sym->name, sym);
}

static void names_build(struct elfsyms *s)
{
	if (s->names)
		return;
	s->names = map_new_of_kept();
	for (u32 i = s->funcs.n; i-- > 0;)
		names_add(s->names, &s->funcs.v[i].sym);
}

/* Finds is_twice without a map of all names: only of those whose hashes occur twice. */
static void find_twice(struct elfsyms *s)
{
	u32 n = s->funcs.n, nbits = 64, *hashes;
	u64 *once, *twice;
	struct map *names;

	if (s->names || s->knows_twice)
		return;
	while (nbits / 16 < n && nbits < 1u << 31)
		nbits *= 2;
	hashes = xcalloc(n, sizeof(*hashes));
	once = xcalloc(nbits / 64, sizeof(*once));
	twice = xcalloc(nbits / 64, sizeof(*twice));
	for (u32 i = 0; i < n; i++) {
		const char *name = s->funcs.v[i].sym.name;
		u32 h = hash_bytes(name, strlen(name)) & (nbits - 1);

		twice[h / 64] |= once[h / 64] & 1ull << h % 64;
		once[h / 64] |= 1ull << h % 64;
		hashes[i] = h;
	}
	names = map_new_of_kept();
	for (u32 i = n; i-- > 0;)
		if (twice[hashes[i] / 64] >> hashes[i] % 64 & 1)
			names_add(names, &s->funcs.v[i].sym);
	map_free(names);
	free(hashes);
	free(once);
	free(twice);
	s->knows_twice = true;
}

const struct elfsym *elfsyms_by_name(struct elfsyms *s, const char *name)
{
	names_build(s);
	return map_get(s->names, name);
}

static bool row_value(const struct symrow *v, u32 n, const char *name, u64 *addr)
{
	for (u32 i = 0; i < n; i++) {
		if (strcmp(v[i].sym.name, name))
			continue;
		*addr = v[i].sym.addr;
		return true;
	}
	return false;
}

bool elfsyms_value(struct elfsyms *s, const char *name, u64 *addr)
{
	return row_value(s->objects.v, s->objects.n, name, addr) ||
	       row_value(s->funcs.v, s->funcs.n, name, addr);
}

/* Of each name the symbol that has it, or a row that is none of them if several have it. */
static void add_only(struct map *only, struct symrow *v, u32 n)
{
	static struct symrow several;

	for (u32 i = 0; i < n; i++)
		if (map_add(only, v[i].sym.name, &v[i]))
			map_set(only, v[i].sym.name, &several);
}

static const struct elfsym *only_before(const struct elfsyms *s, const struct symrow *v, u32 n,
					u64 addr)
{
	u32 i = BISECT(k, n, v[k].sym.addr > addr), section = i ? v[i - 1].section : 0;

	while (i-- > 0 && v[i].section == section)
		if (map_get(s->only, v[i].sym.name) == &v[i])
			return &v[i].sym;
	return NULL;
}

const struct elfsym *elfsyms_only(struct elfsyms *s, u64 addr)
{
	const struct elfsym *o = row_at(s->objects.v, s->objects.n, addr);

	if (!s->only) {
		s->only = map_new_of_kept();
		add_only(s->only, s->objects.v, s->objects.n);
		add_only(s->only, s->funcs.v, s->funcs.n);
	}
	return o && o->size ? only_before(s, s->objects.v, s->objects.n, addr) :
			      only_before(s, s->funcs.v, s->funcs.n, addr);
}

int elfsyms_each(struct elfsyms *s, int (*fn)(void *arg, const struct elfsym *), void *arg)
{
	int err = 0;

	find_twice(s);
	for (u32 i = 0; i < s->funcs.n && !err; i++)
		err = fn(arg, &s->funcs.v[i].sym);
	return err;
}

const struct elfsym *elfsyms_nth_at(struct elfsyms *s, u64 addr, u32 i)
{
	i += BISECT(k, s->funcs.n, s->funcs.v[k].sym.addr >= addr);
	return i < s->funcs.n && s->funcs.v[i].sym.addr == addr ? &s->funcs.v[i].sym : NULL;
}

u64 elfsyms_next(struct elfsyms *s, u64 addr)
{
	u32 i = BISECT(k, s->funcs.n, s->funcs.v[k].sym.addr > addr);

	return i < s->funcs.n ? s->funcs.v[i].sym.addr : ~0ull;
}

bool elfsyms_has_inside(struct elfsyms *s, u64 addr, u64 size)
{
	u32 i = BISECT(k, s->funcs.n, s->funcs.v[k].sym.addr > addr);

	for (; i < s->funcs.n && s->funcs.v[i].sym.addr - addr < size; i++)
		if (!s->funcs.v[i].sym.is_label && s->funcs.v[i].sym.size)
			return true;
	return false;
}

static const struct elfseg *seg_at(const struct elfsyms *s, u64 addr)
{
	for (u32 i = 0; i < s->segs.n; i++)
		if (addr - s->segs.v[i].vaddr < s->segs.v[i].size)
			return &s->segs.v[i];
	return NULL;
}

bool elfsyms_runs(struct elfsyms *s, u64 addr)
{
	const struct elfseg *g = seg_at(s, addr);

	return g && g->runs;
}

bool elfsyms_segment(struct elfsyms *s, u32 i, struct elfseg *to)
{
	*to = i < s->segs.n ? s->segs.v[i] : (struct elfseg){ 0 };
	return i < s->segs.n;
}

bool elfsyms_partial(struct elfsyms *s)
{
	return s->stripped;
}

u64 elfsyms_file_off(struct elfsyms *s, u64 addr)
{
	const struct elfseg *g = seg_at(s, addr);

	return g ? addr - g->vaddr + g->off : ~0ull;
}

/* The part of a segment after the file's data is its .bss. */
u64 elfsyms_vaddr(struct elfsyms *s, u64 file_off)
{
	const struct elfseg *bss = NULL;

	for (u32 i = 0; i < s->segs.n; i++) {
		const struct elfseg *g = &s->segs.v[i];

		if (file_off - g->off < g->size)
			return file_off - g->off + g->vaddr;
		if (file_off - g->off < g->mem_size)
			bss = g;
	}
	return bss ? file_off - bss->off + bss->vaddr : ~0ull;
}

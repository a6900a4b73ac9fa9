/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf.c - debugging information of programs and libraries: opening it, and its entries by name.
 *
 * It is in the object itself or in a separate file (debugfile.c).  Nothing is opened
 * before the arguments of a function, or a type that no other source has, are needed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>

#include "runtime/code/code.h"
#include "runtime/dwarf/dwarf-private.h"
#include "runtime/proc/proc.h"
#include "runtime/unwind/unwind.h"

#define INFLATED_MOST (1ull << 30)       /* bytes in memory, of compressed sections of a file */

/* ---- finding it --------------------------------------------------------------------- */

/* libdw would open what this machine has at that path: of another machine it gets the recorded
 * file. */
static void open_shared(struct dwarf_obj *o, const char *path)
{
	const char *name = elf_shared_name(o->elf);

	o->shared = NULL;
	if (!name || !file_view_has(path))
		return;
	o->shared_fd = file_open_dense(name, 0);
	if (o->shared_fd < 0)
		return;
	o->shared = dwarf_begin(o->shared_fd, DWARF_C_READ);
	if (!o->shared)
		close(o->shared_fd);
}

/* libdw opens what .gnu_debugaltlink names, and would wait for ever for a FIFO: then the section
 * has no bytes. */
static void hide_bad_link(Elf *elf)
{
	const char *name = elf_shared_name(elf);
	Elf_Scn *scn;
	GElf_Shdr sh;
	int fd;

	if (!name || file_access(name, F_OK))
		return;
	fd = file_view_has(name) ? -1 : file_open_dense(name, 0);
	if (fd >= 0) {
		close(fd);
		return;
	}
	scn = elf_section_named(elf, SHARED_LINK, &sh);
	sh.sh_type = SHT_NOBITS;
	gelf_update_shdr(scn, &sh);
}

/* libdw reads all sections at once: the mapping is guarded first.  libelf writes to the headers
 * of compressed ones. */
static bool map_file(struct dwarf_obj *o)
{
	struct stat st;
	void *at;

	if (fstat(o->fd, &st) || st.st_size <= 0)
		return false;
	at = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, o->fd, 0);
	if (at == MAP_FAILED)
		return false;
	o->at = at;
	o->size = st.st_size;
	o->guard = guard_mapping(at, o->size);
	elf_version(EV_CURRENT);
	o->elf = elf_memory(at, o->size);
	o->inflated = o->elf ? elf_inflated(o->elf) : 0;
	if (o->inflated > INFLATED_MOST) {
		o->lack = "its compressed sections have more than 1 GB, too much for memory";
		budget_refuse("the debugging information of %s", o->path);
		return false;
	}
	if (o->elf && !dwarf_unpack_zstd(o->elf, &o->own))
		return false;
	if (o->elf) {
		open_shared(o, o->path);
		hide_bad_link(o->elf);
		elf_relocate_debug(o->elf);
	}
	o->bits32 = o->elf && elf_is_32bit(o->elf);
	o->dw = o->elf ? dwarf_begin_elf(o->elf, DWARF_C_READ, NULL) : NULL;
	if (o->dw && o->shared)
		dwarf_setalt(o->dw, o->shared);
	return o->dw;
}

/* Also if the rest of a page was read, which gives zeros without a signal. */
static bool is_cut(const struct dwarf_obj *o)
{
	struct stat st;

	return o->guard &&
	       (guard_was_cut(o->guard) || fstat(o->fd, &st) || (u64)st.st_size < o->size);
}

static void close_file(struct dwarf_obj *o)
{
	dwarf_end(o->dw);
	dwarf_end(o->shared);
	if (o->shared)
		close(o->shared_fd);
	o->shared = NULL;
	elf_end(o->elf);
	dwarf_bytes_free(o->own);
	guard_end(o->guard);
	if (o->at)
		munmap(o->at, o->size);
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	o->dw = NULL;
	o->elf = NULL;
	o->own = NULL;
	o->guard = NULL;
	o->at = NULL;
}

static bool say_if_cut(const struct dwarf_obj *o, const char *path)
{
	struct range nowhere = { 0 };
	struct diag *d;

	if (o->left || !is_cut(o))
		return false;
	d = diag_error(&o->env->diags, DIAG_NONE, nowhere,
		       "%s was cut short while its debugging information was read", path);
	diag_hint(&o->env->diags, d, "run " TOOL " again when the file is whole");
	return true;
}

/* The DWARF of the file, if it is not empty; fd (-1: none) belongs to the object. */
static bool open_fd(struct dwarf_obj *o, int fd, const char *path)
{
	Dwarf_CU *cu = NULL;

	o->fd = fd;
	if (o->fd >= 0 && map_file(o) &&
	    !dwarf_get_units(o->dw, NULL, &cu, NULL, NULL, NULL, NULL)) {
		o->file = arena_strdup(o->arena, path);
		dwarf_join_split(o);
		if (o->dw)
			return true;
	}
	say_if_cut(o, path);
	close_file(o);
	return false;
}

static bool open_separate(struct dwarf_obj *o, Elf *elf)
{
	const char *fetched;

	for (const char **file = debug_files(o->arena, elf, o->path, &o->lack); *file; file++)
		if (open_fd(o, file_open_dense(*file, 0), *file))
			return true;
	fetched = debug_fetch(o->arena, elf);
	return fetched && open_fd(o, file_open_dense(fetched, 0), fetched);
}

static struct dwarf_obj *object_new(struct dtx_env *env, struct codefile *of, const char *path)
{
	struct dwarf_obj *o = ARENA_NEW(env->arena, struct dwarf_obj);

	o->env = env;
	o->of = of;
	o->arena = env->arena;
	o->path = arena_strdup(env->arena, path);
	o->name = path_base(o->path);
	o->types = map_new();
	o->fd = -1;
	return o;
}

/* Its types stay, and so does all of it. */
static struct dwarf_obj *object_get(struct dwarf_src *s, const char *path)
{
	struct codefile *of = codefile_at(s->env, path);
	struct dwarf_obj *o;

	for (o = s->first; o; o = o->next)
		if (o->of == of && !strcmp(o->path, path))
			return o;
	o = codefile_part(of, CODE_FRAMES);
	if (!o || o->is_source || strcmp(o->path, path))
		o = object_new(s->env, of, path);
	codefile_hold(of);
	o->is_source = true;
	o->next = s->first;
	s->first = o;
	return o;
}

/* Another descriptor of the file, to be closed; -1: there is none, or most of it is holes. */
static int open_dense(struct codefile *f)
{
	int fd = codefile_fd(f);

	return fd < 0 || file_is_hollow(fd) ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* false: there is no DWARF for this object. */
static bool object_open(struct dwarf_obj *o)
{
	Elf *elf = NULL;
	GElf_Shdr sh;
	int fd = o->fd;

	if (o->tried)
		return o->dw;
	o->tried = true;
	o->fd = -1;
	if (fd < 0)
		fd = open_dense(o->of);
	if (fd < 0 || open_fd(o, fcntl(fd, F_DUPFD_CLOEXEC, 0), o->path))
		goto out;
	const char *lack = o->lack;

	elf_version(EV_CURRENT);
	elf = elf_open_fd(fd);
	if (elf && !open_separate(o, elf) && !o->lack)
		o->lack = lack;
	if (elf && !o->dw && !o->lack && elf_has_zstd(elf))
		o->lack = "its sections are compressed by zstd, and cannot be unpacked";
	if (elf && !o->dw && !o->lack && elf_section_named(elf, ".stab", &sh))
		o->lack = "it is of an old form that cannot be read (stabs): DWARF is needed";
	if (elf && !o->dw && gotab_is(elf)) {    /* it knows its lines */
		o->bare = elf;
		o->bare_fd = fd;
		o->bare_bytes = gotab_bytes(elf);
		return false;
	}
	elf_end(elf);
out:
	if (o->dw)
		o->lack = NULL;
	if (fd >= 0)
		close(fd);
	return o->dw;
}

/* ---- all of them ----------------------------------------------------------------------- */

struct dwarf_src *dwarf_source(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->dwarf) {
		sym->dwarf = xcalloc(1, sizeof(*sym->dwarf));
		sym->dwarf->env = env;
	}
	return sym->dwarf;
}

static void object_free(struct dwarf_obj *o)
{
	if (o->left)
		return;
	elf_end(o->bare);
	if (o->bare)
		close(o->bare_fd);
	dwarf_frames_free(o->frames);
	close_file(o);
	map_free(o->types);
	map_free(o->names);
	map_free(o->functions);
	o->bare = NULL;
	o->bare_bytes = 0;
	o->frames = NULL;
	o->types = o->names = o->functions = NULL;
	if (o->arena != o->env->arena)
		arena_free(o->arena);
	o->arena = o->env->arena;
}

void dwarf_free(struct dwarf_src *s)
{
	if (!s)
		return;
	for (struct dwarf_obj *o = s->first; o; o = o->next)
		object_free(o);
	free(s);
}

bool dwarf_check(struct dtx_env *env)
{
	bool whole = true;

	for (struct dwarf_obj *o = dwarf_source(env)->first; o; o = o->next)
		whole &= !say_if_cut(o, o->file);
	return whole;
}

void dwarf_note(struct dtx_env *env, const char *path)
{
	object_get(dwarf_source(env), path);
}

bool dwarf_has(struct dtx_env *env, const char *path)
{
	return dwarf_open(env, path);
}

/* ---- entries ---------------------------------------------------------------------------- */

int dwarf_below(Dwarf_Die *parent, Dwarf_Die *die)
{
	int tag = dwarf_tag(parent);
	Dwarf_Files *files;
	Dwarf_Die split;
	u8 type;

	if ((tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit) ||
	    dwarf_cu_info(parent->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || !split.cu)
		return dwarf_child(parent, die);
	/* dwarf_decl_file() of its entries relies on the files having been read (libdw 0.188). */
	if (dwarf_getsrcfiles(&split, &files, &(size_t){ 0 }))
		return 1;
	return dwarf_child(&split, die);
}

/* The path of the file with a unit's entries; NULL: they are in it, or in a file that is there. */
static const char *split_missing(struct dwarf_obj *o, Dwarf_Die *unit)
{
	Dwarf_Attribute a;
	const char *name, *folder;
	Dwarf_Die split;

	if (!dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) && split.cu)
		return NULL;
	name = dwarf_formstring(dwarf_attr(unit, DW_AT_dwo_name, &a));
	name = name ? name : dwarf_formstring(dwarf_attr(unit, DW_AT_GNU_dwo_name, &a));
	folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	if (name && !strncmp(name, "/proc/self/fd/", 14))
		return "a file or package of its own";   /* dwarfsplit.c */
	if (!name || *name == '/' || !folder)
		return name;
	return arena_printf(o->arena, "%s/%s", folder, name);
}

const char *dwarf_lack(struct dtx_env *env, const char *path)
{
	struct dwarf_obj *o = object_get(dwarf_source(env), path);
	const char *missing = NULL;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (!object_open(o) || o->lack_known)
		return o->lack;
	o->lack_known = true;
	while (!missing && !dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		missing = split_missing(o, &unit);
	if (missing)
		o->lack = arena_printf(o->arena, "it is in %s, which is not there%s%s", missing,
				       o->split_lack ? "; " : "",
				       o->split_lack ? o->split_lack : "");
	return o->lack;
}

/* ---- names ------------------------------------------------------------------------------ */

static char name_space(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return 's';
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return 'n';
	case DW_TAG_variable:
		return 'v';
	default:
		return '\0';
	}
}

/*
 * Types of a unit or namespace by their names; tagged ones also by the full name, "a::in" in the
 * space 'S'; the first definition of a name is used.
 */
static void index_children(struct dwarf_obj *o, Dwarf_Die *parent, u32 depth, const char *scope)
{
	Dwarf_Die die;
	bool decl;

	if (dwarf_below(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		const char *name = dwarf_diename(&die);
		char key[256], inner[256], space = name_space(tag);

		if (tag == DW_TAG_namespace && depth < 8) {
			snprintf(inner, sizeof(inner), "%s%s%s", scope, name ? name : "",
				 name ? "::" : "");
			index_children(o, &die, depth + 1, inner);
			o->scoped = true;
		}
		if (!space || !name ||
		    (dwarf_hasattr(&die, DW_AT_declaration) &&
		     !dwarf_formflag(dwarf_attr(&die, DW_AT_declaration, &(Dwarf_Attribute){ 0 }),
				     &decl) &&
		     decl))
			continue;
		snprintf(key, sizeof(key), "%c:%s", space, name);
		if (!map_get(o->names, key))
			map_set(o->names, key, die.addr);
		snprintf(key, sizeof(key), "S:%s%s", scope, name);
		if (space == 's' && !map_get(o->names, key))
			map_set(o->names, key, die.addr);
	} while (!dwarf_siblingof(&die, &die));
}

bool dwarf_named(struct dwarf_obj *o, char space, const char *name, Dwarf_Die *die)
{
	char key[256];
	void *at;

	if (!o->names) {
		Dwarf_CU *cu = NULL;
		Dwarf_Die unit;

		o->names = map_new();
		while (!dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
			index_children(o, &unit, 0, "");
	}
	snprintf(key, sizeof(key), "%c:%s", space, name);
	at = map_get(o->names, key);
	return at && dwarf_die_addr_die(o->dw, at, die);
}

struct elfsyms *dwarf_code(struct dwarf_obj *o)
{
	return codefile_symbols(o->of);
}

struct dwarf_obj *dwarf_open(struct dtx_env *env, const char *path)
{
	struct dwarf_obj *o = object_get(dwarf_source(env), path);

	return object_open(o) ? o : NULL;
}

Elf *dwarf_bare(struct dtx_env *env, const char *path)
{
	struct dwarf_obj *o = object_get(dwarf_source(env), path);

	return object_open(o) ? NULL : o->bare;
}

/* ---- for frames ------------------------------------------------------------------------- */

static u64 part_bytes(void *part)
{
	const struct dwarf_obj *o = part;

	return o->inflated + o->bare_bytes + dwarf_frames_bytes(o->frames);
}

static void part_drop(void *part)
{
	struct dwarf_obj *o = part;

	if (!o->is_source)
		object_free(o);
}

struct dwarf_obj *dwarf_file(struct dtx_env *env, struct codefile *of)
{
	static const struct codefile_part ops = { part_bytes, part_drop };
	struct dwarf_obj *o = codefile_part(of, CODE_FRAMES);
	int fd;

	if (o)
		return o;
	for (o = dwarf_source(env)->first; o && o->of != of;)
		o = o->next;
	fd = o ? -1 : codefile_fd(of);
	if (!o && fd < 0)
		return NULL;
	if (!o) {
		o = object_new(env, of, codefile_path(of));
		o->arena = arena_new();          /* a thread aside may add to it */
		o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);   /* the file may be gone when it is read */
	}
	codefile_set_part(of, CODE_FRAMES, o, &ops);
	return o;
}

bool dwarf_file_open(struct dwarf_obj *o)
{
	return object_open(o);
}

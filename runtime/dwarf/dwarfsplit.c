/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfsplit.c - entries of units that are in files of their own (gcc -gsplit-dwarf; DWARF 5,
 * 3.1.2), where libdw does not find them: .dwo files that were moved with the program, packages
 * (.dwp).
 *
 * libdw opens what the unit names (DW_AT_dwo_name), and has no other way in.  So the name is
 * replaced, in our copy of the sections, by one file of ours, /proc/self/fd/N: each file that was
 * found is put there while libdw opens it.  libdw compares DW_AT_dwo_id, and keeps what it read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dwarf.h>
#include <gelf.h>

#include "runtime/dwarf/dwarf-private.h"

struct lost {
	u64 id;
	Dwarf_Off at;                    /* of the unit's entry */
	const char *path;                /* the file that has it, or NULL */
	bool packed;                     /* it is in the package */
	bool bad;                        /* what is there is no file that may be opened: a FIFO */
};

struct join {
	struct dwarf_obj *o;
	VEC(struct lost) lost;
	struct dwarf_pack *pack;
	int place;                       /* N of /proc/self/fd/N */
	u64 added[2];                    /* where the name is in .debug_str, .debug_line_str;
					  * 0: it is not */
};

static bool unit_name(Dwarf_Die *unit, Dwarf_Attribute *a)
{
	return dwarf_attr(unit, DW_AT_dwo_name, a) || dwarf_attr(unit, DW_AT_GNU_dwo_name, a);
}

/* ---- finding a file ------------------------------------------------------------------------- */

/* Has the file the unit with this number? */
static bool has_unit(const char *path, u64 id)
{
	int fd;
	Elf *elf = elf_open_path(path, &fd);
	Dwarf *dw = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_CU *cu = NULL;
	bool found = false;
	u64 own;
	u8 type;

	while (dw && !found && !dwarf_get_units(dw, cu, &cu, NULL, &type, NULL, NULL))
		found = type == DW_UT_split_compile &&
			!dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &own, NULL, NULL) && own == id;
	dwarf_end(dw);
	elf_close_fd(elf, fd);
	return found;
}

static const char *folder(struct dwarf_obj *o, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(o->arena, path, (size_t)(slash - path)) : ".";
}

/* Beside the program or its debugging information; in the root of its process.  NULL: nowhere. */
static const char *moved_file(struct dwarf_obj *o, Dwarf_Die *unit, const char *name, u64 id)
{
	const char *at[] = { o->path, o->file }, *base = strrchr(name, '/'), *dir;
	const char *below = file_below_root(o->path), *tried[5] = { 0 };
	struct arena *arena = o->arena;
	Dwarf_Attribute a;
	u32 n = 0;

	for (u32 i = 0; i < ARRAY_SIZE(at); i++) {
		dir = folder(o, at[i]);
		if (*name != '/')
			tried[n++] = arena_printf(arena, "%s/%s", dir, name);
		if (base)
			tried[n++] = arena_printf(arena, "%s%s", dir, base);
	}
	dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	if (below && (*name == '/' || dir))
		tried[n++] = arena_printf(arena, "%.*s%s%s%s", (int)(below - o->path), o->path,
					  *name == '/' ? "" : dir, *name == '/' ? "" : "/", name);
	for (u32 i = 0; i < n; i++)
		if (has_unit(tried[i], id))
			return tried[i];
	return NULL;
}

static void open_pack(struct join *j)
{
	struct dwarf_obj *o = j->o;
	const char *beside[] = { o->path, o->file }, *why;

	for (u32 i = 0; i < ARRAY_SIZE(beside) && !j->pack; i++) {
		const char *path = arena_printf(o->arena, "%s.dwp", beside[i]);

		j->pack = pack_open(path);
		why = j->pack ? pack_lack(j->pack) :
		      file_access_object(path, F_OK) ? NULL : "cannot be read";
		if (!why)
			continue;
		o->split_lack = arena_printf(o->arena, "the package %s %s", path, why);
		pack_free(j->pack);
		j->pack = NULL;
		return;
	}
}

/* Would libdw find a file?  If it is of another build, its units are not used.  *bad: it would open
 * something else, and wait: a FIFO, a device, a file of holes. */
static bool is_there(Dwarf_Die *unit, const char *name, bool *bad)
{
	Dwarf_Attribute a;
	const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
	char *path = *name == '/' || !dir ? xstrdup(name) : xprintf("%s/%s", dir, name);
	bool there = !file_access_object(path, F_OK);
	int fd = there ? file_open_dense(path, 0) : -1;

	*bad = there && fd < 0;
	if (fd >= 0)
		close(fd);
	free(path);
	return there;
}

static void find_lost(struct join *j)
{
	struct dwarf_obj *o = j->o;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	Dwarf_Attribute a;
	u64 id;
	u8 type;

	while (!dwarf_get_units(o->dw, cu, &cu, NULL, &type, &unit, NULL)) {
		const char *name = type == DW_UT_skeleton && unit_name(&unit, &a) ?
				   dwarf_formstring(&a) : NULL;
		struct lost l = { .at = dwarf_dieoffset(&unit) };

		if (!name || (is_there(&unit, name, &l.bad) && !l.bad) ||
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL))
			continue;
		if (!j->lost.n)
			open_pack(j);
		l.id = id;
		l.path = l.bad ? NULL : moved_file(o, &unit, name, id);
		l.packed = !l.bad && !l.path && j->pack && pack_has(j->pack, id);
		if (l.bad)
			o->split_lack = "what it names (DW_AT_dwo_name) is not a plain file";
		else if (!l.path && !l.packed && j->pack)
			o->split_lack = "the package (.dwp) does not have it: it is of another "
					"build";
		VEC_PUSH(&j->lost, l);
	}
}

/* ---- the name ------------------------------------------------------------------------------- */

/* Adds the name to a section of strings; where it is; 0: there is no such section. */
static u64 split_add_name(struct join *j, bool of_lines)
{
	Elf_Data *d = split_section(j->o->elf, of_lines ? ".debug_line_str" : ".debug_str");
	char name[40];
	size_t len;
	u8 *own;

	if (j->added[of_lines] || !d || !d->d_buf)
		return j->added[of_lines];
	len = (size_t)snprintf(name, sizeof(name), "/proc/self/fd/%d", j->place) + 1;
	own = dwarf_bytes_new(&j->o->own, d->d_size + len);
	memcpy(own, d->d_buf, d->d_size);
	memcpy(own + d->d_size, name, len);
	j->added[of_lines] = d->d_size;
	d->d_buf = own;
	d->d_size += len;
	return j->added[of_lines];
}

/* Where the offset of an indexed string is: DW_FORM_strx and its kin. */
static u8 *indexed(struct join *j, Dwarf_Die *unit, const Dwarf_Attribute *a)
{
	Elf_Data *d = split_section(j->o->elf, ".debug_str_offsets");
	const u8 *at = a->valp;
	Dwarf_Attribute base;
	Dwarf_Word from = 8;
	u64 n = 0;

	if (dwarf_attr(unit, DW_AT_str_offsets_base, &base))
		dwarf_formudata(&base, &from);
	switch (dwarf_whatform((Dwarf_Attribute *)a)) {
	case DW_FORM_strx1: n = at[0]; break;
	case DW_FORM_strx2: n = at[0] | at[1] << 8; break;
	case DW_FORM_strx3: n = at[0] | at[1] << 8 | (u32)at[2] << 16; break;
	case DW_FORM_strx4: memcpy(&n, at, 4); break;
	case DW_FORM_strx:
		for (u32 shift = 0; shift < 28; shift += 7, at++) {
			n |= (u64)(*at & 0x7f) << shift;
			if (!(*at & 0x80))
				break;
		}
		break;
	default:
		return NULL;
	}
	if (!d || !d->d_buf || from > d->d_size || from + n * 4 + 4 > d->d_size)
		return NULL;
	return (u8 *)d->d_buf + from + n * 4;
}

/* Of 32-bit DWARF: offsets have 4 bytes.  hide: a name in the entry itself may go. */
static bool rename_unit(struct join *j, Dwarf_Die *unit, bool hide)
{
	Dwarf_Attribute a;
	bool of_lines;
	u8 offset, *at;
	u32 name;

	if (unit_name(unit, &a) && hide && dwarf_whatform(&a) == DW_FORM_string) {
		*a.valp = '\0';
		return true;
	}
	if (!unit_name(unit, &a) ||
	    dwarf_cu_info(unit->cu, NULL, NULL, NULL, NULL, NULL, NULL, &offset) || offset != 4)
		return false;
	of_lines = dwarf_whatform(&a) == DW_FORM_line_strp;
	at = of_lines || dwarf_whatform(&a) == DW_FORM_strp ? a.valp : indexed(j, unit, &a);
	name = at ? (u32)split_add_name(j, of_lines) : 0;
	if (!name)
		return false;
	memcpy(at, &name, sizeof(name));
	return true;
}

/* ---- joining -------------------------------------------------------------------------------- */

/* false: a name that must go stays. */
static bool rename_all(struct join *j)
{
	for (u32 i = 0; i < j->lost.n; i++) {
		struct lost *l = &j->lost.v[i];
		Dwarf_Die unit;

		if ((!l->path && !l->packed && !l->bad) ||
		    (dwarf_offdie(j->o->dw, l->at, &unit) && rename_unit(j, &unit, l->bad)))
			continue;
		if (l->bad)
			return false;
		*l = (struct lost){ 0 };
	}
	return true;
}

/* libdw opens it again by the descriptor, so it must be one that may be read. */
static int open_moved(const char *path)
{
	int fd;

	elf_end(elf_open_path(path, &fd));
	return fd;
}

/* libdw looks for the file of a unit once. */
static void join_one(struct join *j, const struct lost *l)
{
	int fd = l->path ? open_moved(l->path) :
		 l->packed ? pack_unit(j->pack, l->id) :
		 l->bad ? memfd_create("dtx-none", MFD_CLOEXEC) : -1;
	Dwarf_Die unit, split;

	if (fd < 0)
		return;
	if (dup2(fd, j->place) >= 0 && dwarf_offdie(j->o->dw, l->at, &unit))
		dwarf_cu_info(unit.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
	close(fd);
}

void dwarf_join_split(struct dwarf_obj *o)
{
	struct join j = { .o = o, .place = -1 };
	bool renamed;

	find_lost(&j);
	if (j.lost.n)
		j.place = memfd_create("dtx-dwo", MFD_CLOEXEC);
	if (j.place >= 0) {
		renamed = rename_all(&j);
		dwarf_end(o->dw);
		o->dw = renamed ? dwarf_begin_elf(o->elf, DWARF_C_READ, NULL) : NULL;
		if (!renamed)
			o->lack = "its units name files that are not plain ones (DW_AT_dwo_name)";
		for (u32 i = 0; i < j.lost.n && o->dw; i++)
			join_one(&j, &j.lost.v[i]);
		close(j.place);
	}
	VEC_FREE(&j.lost);
	pack_free(j.pack);
}

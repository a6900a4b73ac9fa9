/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfpack.c - packages of split debugging information (.dwp: DWARF 5, 7.3.5; version 2 of the
 * index: gcc.gnu.org/wiki/DebugFissionDWP).  libdw reads them from 0.191 on, and only if it opened
 * the program itself.  So the entries of one unit are put into a file as the compiler wrote it.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dwarf.h>
#include <gelf.h>

#include "runtime/dwarf/dwarf-private.h"

#define INDEX_HEAD 16            /* version, columns, units, slots: 4 bytes each */
#define PARTS_MOST 16
/* Strings are in a package once, in the files of units often.  Rows of a damaged one may lie over
 * each other. */
#define TIMES_MOST 16

enum { IN_INFO = 1, IN_ABBREV = 3, IN_LINE, IN_LOC, IN_STR_OFFSETS, IN_RANGES = 8 };

struct dwarf_pack {
	int fd;
	Elf *elf;
	const u8 *index;
	u32 version, columns, units, slots;
	bool has_types;
	u64 bytes, made;                 /* of the package; of files in memory */
};

Elf_Data *split_section(Elf *elf, const char *name)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_section_named(elf, name, &sh);

	return scn && !(sh.sh_flags & SHF_COMPRESSED) ? elf_getdata(scn, NULL) : NULL;
}

static u32 number_at(const u8 *at)
{
	u32 v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* ---- the index ------------------------------------------------------------------------------ */

static bool read_index(struct dwarf_pack *p)
{
	Elf_Data *cu = split_section(p->elf, ".debug_cu_index");
	Elf_Data *tu = split_section(p->elf, ".debug_tu_index");

	if (!cu || !cu->d_buf || cu->d_size < INDEX_HEAD)
		return false;
	p->has_types = tu && tu->d_buf && tu->d_size >= INDEX_HEAD &&
		       number_at((u8 *)tu->d_buf + 8);
	p->index = cu->d_buf;
	p->version = number_at(p->index);
	p->columns = number_at(p->index + 4);
	p->units = number_at(p->index + 8);
	p->slots = number_at(p->index + 12);
	return (p->version == 2 || p->version == 5) && p->columns <= PARTS_MOST &&
	       INDEX_HEAD + (u64)p->slots * 12 + ((u64)p->units * 2 + 1) * p->columns * 4 <=
	       cu->d_size;
}

/* The row of a unit, counted from 1; 0: it is not there. */
static u32 row_of(const struct dwarf_pack *p, u64 id)
{
	const u8 *ids = p->index + INDEX_HEAD, *rows = ids + (u64)p->slots * 8;

	for (u32 i = 0; i < p->slots; i++)
		if (!memcmp(ids + (u64)i * 8, &id, sizeof(id)) && number_at(rows + (u64)i * 4)) {
			u32 row = number_at(rows + (u64)i * 4);

			return row <= p->units ? row : 0;
		}
	return 0;
}

static const char *part_name(u32 version, u32 kind)
{
	switch (kind) {                  /* dispatch */
	case IN_INFO: return ".debug_info.dwo";
	case IN_ABBREV: return ".debug_abbrev.dwo";
	case IN_LINE: return ".debug_line.dwo";
	case IN_LOC: return version == 2 ? ".debug_loc.dwo" : ".debug_loclists.dwo";
	case IN_STR_OFFSETS: return ".debug_str_offsets.dwo";
	case IN_RANGES: return version == 2 ? NULL : ".debug_rnglists.dwo";
	default: return NULL;
	}
}

struct part { const char *name; u8 *data; u64 size; };

/* The part of a section that is the unit's. */
static bool pack_part(struct dwarf_pack *p, u32 row, u32 column, struct part *part)
{
	const u8 *table = p->index + INDEX_HEAD + (u64)p->slots * 12;
	const u8 *sizes = table + ((u64)p->units + 1) * p->columns * 4;
	u64 at = number_at(table + ((u64)row * p->columns + column) * 4);
	Elf_Data *d;

	part->name = part_name(p->version, number_at(table + (u64)column * 4));
	part->size = number_at(sizes + ((u64)(row - 1) * p->columns + column) * 4);
	d = part->name ? split_section(p->elf, part->name) : NULL;
	if (!d || !d->d_buf || at + part->size > d->d_size)
		return false;
	part->data = (u8 *)d->d_buf + at;
	return true;
}

/* ---- a file of one unit --------------------------------------------------------------------- */

/* Only the strings of this unit: those of all others together may be large. */
static void take_strings(struct dwarf_pack *p, struct part *offsets, struct buf *strings)
{
	Elf_Data *all = split_section(p->elf, ".debug_str.dwo");
	u8 *own = xmalloc(offsets->size + 1);

	memcpy(own, offsets->data, offsets->size);
	offsets->data = own;
	for (u64 at = p->version == 2 ? 0 : 8; at + 4 <= offsets->size; at += 4) {
		u32 from = number_at(own + at), to = (u32)strings->len;
		const char *text = all && all->d_buf && from < all->d_size ?
				   (char *)all->d_buf + from : "";
		size_t room = *text ? all->d_size - from : 1;

		buf_add(strings, text, strnlen(text, room));
		buf_putc(strings, '\0');
		memcpy(own + at, &to, sizeof(to));
	}
}

static void add_section(struct buf *file, Elf64_Shdr *sh, u32 type, u64 name,
			const struct part *part)
{
	while (file->len % 8)
		buf_putc(file, '\0');
	*sh = (Elf64_Shdr){
		.sh_name = (Elf64_Word)name, .sh_type = type, .sh_addralign = 1,
		.sh_offset = file->len, .sh_size = part->size,
	};
	if (part->size)
		buf_add(file, part->data, part->size);
}

static void write_file(struct dwarf_pack *p, const struct part *parts, u32 n, struct buf *file)
{
	static const char own[] = ".shstrtab";
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_REL, .e_version = EV_CURRENT, .e_ehsize = sizeof(head),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = (Elf64_Half)(n + 2),
		.e_shstrndx = (Elf64_Half)(n + 1),
	};
	Elf64_Shdr sh[PARTS_MOST + 3] = { 0 };
	struct buf names = { 0 };
	GElf_Ehdr of;
	u64 at;

	head.e_machine = gelf_getehdr(p->elf, &of) ? of.e_machine : EM_NONE;
	buf_putc(&names, '\0');
	buf_add(file, &head, sizeof(head));
	for (u32 i = 0; i < n; i++) {
		add_section(file, &sh[i + 1], SHT_PROGBITS, names.len, &parts[i]);
		buf_add(&names, parts[i].name, strlen(parts[i].name) + 1);
	}
	at = names.len;
	buf_add(&names, own, sizeof(own));
	add_section(file, &sh[n + 1], SHT_STRTAB, at,
		    &(struct part){ own, (u8 *)names.data, names.len });
	while (file->len % 8)
		buf_putc(file, '\0');
	head.e_shoff = file->len;
	memcpy(file->data, &head, sizeof(head));
	buf_add(file, sh, (n + 2) * sizeof(*sh));
	buf_free(&names);
}

static int memory_file(const struct buf *file)
{
	int fd = memfd_create("dtx-dwo", MFD_CLOEXEC);

	if (fd >= 0 && file_write(fd, file->data, file->len, NULL)) {
		close(fd);
		return -1;
	}
	return fd;
}

bool pack_has(const struct dwarf_pack *p, u64 id)
{
	return row_of(p, id);
}

int pack_unit(struct dwarf_pack *p, u64 id)
{
	u32 row = row_of(p, id), n = 0;
	struct part parts[PARTS_MOST + 1];
	struct buf strings = { 0 }, file = { 0 };
	u8 *offsets = NULL;
	int fd;

	for (u32 c = 0; row && c < p->columns; c++) {
		if (!pack_part(p, row, c, &parts[n]))
			continue;
		if (strstr(parts[n].name, "str_offsets")) {
			take_strings(p, &parts[n], &strings);
			offsets = parts[n].data;
		}
		n++;
	}
	if (!n)
		return -1;
	parts[n++] = (struct part){ ".debug_str.dwo", (u8 *)strings.data, strings.len };
	write_file(p, parts, n, &file);
	p->made += file.len;
	fd = p->made > TIMES_MOST * p->bytes ? -1 : memory_file(&file);
	free(offsets);
	buf_free(&strings);
	buf_free(&file);
	return fd;
}

/* ---- the package ---------------------------------------------------------------------------- */

const char *pack_lack(const struct dwarf_pack *p)
{
	return p->has_types ? "has type units, which are not read" : NULL;
}

struct dwarf_pack *pack_open(const char *path)
{
	struct dwarf_pack *p = xcalloc(1, sizeof(*p));
	struct stat st;

	p->elf = elf_open_path(path, &p->fd);
	p->bytes = p->elf && !fstat(p->fd, &st) ? (u64)st.st_size : 0;
	if (p->elf && read_index(p))
		return p;
	pack_free(p);
	return NULL;
}

void pack_free(struct dwarf_pack *p)
{
	if (p)
		elf_close_fd(p->elf, p->fd);
	free(p);
}

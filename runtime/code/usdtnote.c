/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdtnote.c - the probes that sys/sdt.h puts into a program: one ELF note per site.
 *
 *     section .note.stapsdt, note name "stapsdt", type 3:
 *     +------+------+-----------+------------+--------+-------------+
 *     | site | base | semaphore | provider\0 | name\0 | arguments\0 |
 *     | word | word | word or 0 |            |        |             |
 *     +------+------+-----------+------------+--------+-------------+
 *
 * A word has the size of the program's: 4 bytes in 32-bit programs.  `base` is the address of
 * .stapsdt.base when the note was written: a tool that moves the code later (prelink) also moves
 * that section.
 *
 * The header of -h adds what its script declares, a note for each probe that has a site:
 *
 *     section .note.dtx, note name "dtx", type 1: texts that end in \0
 *     provider  name  (type  parameter or "")…  ""  [(type  parameter or "")…  ""]
 *
 * The second list is there if the arguments are mapped.
 */
#include <stdlib.h>

#include <gelf.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"

/* A file of others can have any number, and each is kept: large programs have thousands. */
#define SITES_MOST  50000u
#define PROTOS_MOST 4096u
#define BYTES_MOST  (8u << 20)   /* of all texts */

struct reader {
	struct arena *arena;
	u64 base;                        /* of .stapsdt.base, 0: none */
	u32 word;                        /* bytes */
	struct usdt_note *v;
	u32 n;
	struct usdt_proto *protos;
	u32 nprotos;
	u32 seen;
	u64 bytes;
	bool too_many;
};

struct kind {
	const char *section, *owner;
	u32 type, most;
	void (*add)(struct reader *, const char *desc, size_t size);
};

/* A text of the note; NULL: it does not end in the note. */
static const char *text(struct reader *r, const char **at, const char *end)
{
	const char *nul = memchr(*at, '\0', (size_t)(end - *at)), *out;

	if (!nul)
		return NULL;
	out = plain_name(r->arena, arena_strdup(r->arena, *at));
	*at = nul + 1;
	return out;
}

static void note_add(struct reader *r, const char *desc, size_t size)
{
	const char *at = desc + 3 * r->word, *end = desc + size;
	struct usdt_note note;
	u64 addr[3] = { 0 }, moved;

	if (size < 3 * r->word)
		return;
	for (u32 i = 0; i < 3; i++)              /* the low half of a little-endian number */
		memcpy(&addr[i], desc + i * r->word, r->word);
	moved = r->base && addr[1] ? r->base - addr[1] : 0;
	note.addr = addr[0] + moved;
	note.semaphore = addr[2] ? addr[2] + moved : 0;
	note.prov = text(r, &at, end);
	note.name = note.prov ? text(r, &at, end) : NULL;
	note.args = note.name ? text(r, &at, end) : NULL;
	if (!note.args)
		return;
	ARENA_PUSH(r->arena, r->v, r->n, note);
}

/* Pairs of texts, up to an empty one; false: the note ends before. */
static bool params(struct reader *r, const char **at, const char *end,
		   struct dtx_proto_param **v, u32 *n)
{
	const char *type;

	while ((type = text(r, at, end)) && *type) {
		struct dtx_proto_param p = { .type = type, .name = text(r, at, end) };

		if (!p.name)
			return false;
		ARENA_PUSH(r->arena, *v, *n, p);
	}
	return type;
}

static void proto_add(struct reader *r, const char *desc, size_t size)
{
	const char *at = desc, *end = desc + size;
	struct usdt_proto p = { .prov = text(r, &at, end) };

	p.name = p.prov ? text(r, &at, end) : NULL;
	if (!p.name || !params(r, &at, end, &p.args.native, &p.args.nnative))
		return;
	p.args.has_mapped = at < end;
	if (p.args.has_mapped && !params(r, &at, end, &p.args.mapped, &p.args.nmapped))
		return;
	ARENA_PUSH(r->arena, r->protos, r->nprotos, p);
}

static bool is_over(const struct reader *r, const struct kind *kind)
{
	return r->seen > kind->most || r->bytes > BYTES_MOST;
}

static void read_notes(struct reader *r, Elf *elf, const struct kind *kind)
{
	Elf_Data *d = elf_section(elf, kind->section, NULL);
	size_t len = strlen(kind->owner) + 1, name, desc, next;
	GElf_Ehdr eh;
	GElf_Nhdr nh;

	if (!d || !gelf_getehdr(elf, &eh))
		return;
	r->word = eh.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	elf_section(elf, ".stapsdt.base", &r->base);
	for (size_t at = 0; (next = gelf_getnote(d, at, &nh, &name, &desc)); at = next) {
		const char *bytes = d->d_buf;

		if (nh.n_type != kind->type || nh.n_namesz != len ||
		    memcmp(bytes + name, kind->owner, len))
			continue;
		r->bytes += nh.n_descsz;
		r->seen++;
		if (is_over(r, kind))
			return;
		kind->add(r, bytes + desc, nh.n_descsz);
	}
}

static void read_file(struct reader *r, struct codefile *file)
{
	static const struct kind sites = { ".note.stapsdt", "stapsdt", 3, SITES_MOST, note_add };
	static const struct kind declared = { ".note.dtx", "dtx", 1, PROTOS_MOST, proto_add };
	int fd = codefile_fd(file);
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);

	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_notes(r, elf, &sites);
	r->too_many = is_over(r, &sites);
	r->n = r->too_many ? 0 : r->n;
	r->seen = 0;
	r->bytes = 0;
	if (r->n)
		read_notes(r, elf, &declared);
	elf_end(elf);
	codefile_close(file);
}

/* ---- as a part of the file --------------------------------------------------------------- */

struct part {
	struct usdt_notes notes;
	bool too_many;                   /* to be told */
	struct arena *arena;
};

static u64 part_bytes(void *part)
{
	const struct part *p = part;

	return p->arena ? arena_size(p->arena) : 0;
}

static void part_drop(void *part)
{
	struct part *p = part;

	arena_free(p->arena);
	if (p->arena)
		free(p);
}

static struct part *part_of(struct codefile *file)
{
	static const struct codefile_part ops = { part_bytes, part_drop };
	static struct part none;
	struct part *p = codefile_part(file, CODE_NOTES);
	struct reader r = { 0 };

	if (p)
		return p;
	r.arena = arena_new();
	read_file(&r, file);
	if (r.n || r.too_many) {
		p = xcalloc(1, sizeof(*p));
		*p = (struct part){ { r.v, r.n, r.protos, r.nprotos }, r.too_many, r.arena };
	} else {
		arena_free(r.arena);
		p = &none;
	}
	codefile_set_part(file, CODE_NOTES, p, &ops);
	return p;
}

const struct usdt_notes *usdt_notes(struct codefile *file)
{
	return &part_of(file)->notes;
}

bool usdt_too_many(struct codefile *file)
{
	struct part *p = part_of(file);
	bool tell = p->too_many;

	p->too_many = false;
	return tell;
}

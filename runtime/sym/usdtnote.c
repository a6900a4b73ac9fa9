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
 */
#include <fcntl.h>
#include <unistd.h>

#include <gelf.h>

#include "runtime/sym/tables.h"

#define NOTE_TYPE 3              /* sys/sdt.h: _SDT_NOTE_TYPE */

struct reader {
	struct arena *arena;
	u64 base;                        /* of .stapsdt.base, 0: none */
	u32 word;                        /* bytes */
	struct usdt_note *v;
	u32 n;
};

/* A text of the note; NULL: it does not end in the note. */
static const char *text(struct reader *r, const char **at, const char *end)
{
	const char *nul = memchr(*at, '\0', (size_t)(end - *at)), *out;

	if (!nul)
		return NULL;
	out = arena_strdup(r->arena, *at);
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

static void read_notes(struct reader *r, Elf *elf)
{
	GElf_Ehdr eh;
	GElf_Nhdr nh;
	Elf_Data *d;
	size_t name, desc, next;

	if (!gelf_getehdr(elf, &eh))
		return;
	r->word = eh.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	d = elf_section(elf, ".note.stapsdt", NULL);
	if (!d)
		return;
	elf_section(elf, ".stapsdt.base", &r->base);
	for (size_t at = 0; (next = gelf_getnote(d, at, &nh, &name, &desc)); at = next) {
		const char *bytes = d->d_buf;

		if (nh.n_type == NOTE_TYPE && nh.n_namesz == sizeof("stapsdt") &&
		    !memcmp(bytes + name, "stapsdt", sizeof("stapsdt")))
			note_add(r, bytes + desc, nh.n_descsz);
	}
}

u32 usdt_read(struct arena *a, const char *path, struct usdt_note **notes)
{
	int fd = file_open_object(path, 0);
	struct reader r = { .arena = a };
	Elf *elf;

	*notes = NULL;
	if (fd < 0)
		return 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_notes(&r, elf);
	elf_end(elf);
	close(fd);
	*notes = r.v;
	return r.n;
}

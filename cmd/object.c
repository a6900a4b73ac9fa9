/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * object.c - the undefined symbols of an object file.  Headers of other DTraces declare a function
 * for each probe, __dtrace_PROVIDER___PROBE, which their -G replaces by a probe site.
 */
#include <dtx-run.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/object.h"

#define OBJECT_MOST (256 << 20)  /* bytes */

struct object {
	const char *at;
	size_t size;
};

/* `n` bytes of the file from `off`, NULL: they are not in it. */
static const void *object_part(const struct object *o, size_t off, size_t n)
{
	return off <= o->size && n <= o->size - off ? o->at + off : NULL;
}

static const Elf64_Shdr *object_section(const struct object *o, const Elf64_Ehdr *eh, unsigned i)
{
	if (i >= eh->e_shnum || eh->e_shentsize != sizeof(Elf64_Shdr))
		return NULL;
	return object_part(o, eh->e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

static bool object_symbols(const struct object *o, const Elf64_Shdr *syms, const Elf64_Shdr *text,
			   char *name, size_t size)
{
	const Elf64_Sym *s = object_part(o, syms->sh_offset, syms->sh_size);
	const char *names = text ? object_part(o, text->sh_offset, text->sh_size) : NULL;

	if (!s || !names || !text->sh_size || names[text->sh_size - 1])
		return false;
	for (size_t i = 0; i < syms->sh_size / sizeof(*s); i++) {
		if (s[i].st_shndx != SHN_UNDEF || s[i].st_name >= text->sh_size ||
		    strncmp(names + s[i].st_name, "__dtrace", 8))
			continue;
		snprintf(name, size, "%s", names + s[i].st_name);
		return true;
	}
	return false;
}

static bool object_search(const struct object *o, char *name, size_t size)
{
	const Elf64_Ehdr *eh = object_part(o, 0, sizeof(*eh));

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG) || eh->e_ident[EI_CLASS] != ELFCLASS64)
		return false;
	for (unsigned i = 0; i < eh->e_shnum; i++) {
		const Elf64_Shdr *sh = object_section(o, eh, i);

		if (sh && sh->sh_type == SHT_SYMTAB &&
		    object_symbols(o, sh, object_section(o, eh, sh->sh_link), name, size))
			return true;
	}
	return false;
}

bool object_wants(const char *path, char *name, size_t size)
{
	FILE *f = dtx_input(path);
	bool found = false;
	struct stat st;
	char *text;

	if (!f)
		return false;
	/* Read and not mapped: a compiler may be writing it. */
	if (!fstat(fileno(f), &st) && st.st_size > 0 && st.st_size <= OBJECT_MOST) {
		text = malloc(st.st_size);
		struct object o = { text, text ? fread(text, 1, st.st_size, f) : 0 };

		found = object_search(&o, name, size);
		free(text);
	}
	fclose(f);
	return found;
}

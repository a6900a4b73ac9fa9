/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latemaps.c - the section of the maps has another name while LLVM writes the object.
 *
 * LLVM describes what is in ".maps" before the first function, and then, at each function, looks
 * for the names of all variables described so far, each among all strings: functions × maps ×
 * strings.  Variables of other sections are described once, after the functions, and in the same
 * way.  The name has as many bytes, so that it can be put right where it stands: in the names of
 * the sections and in BTF.  No line of a program, which BTF has too, is like it.
 */
#include <elf.h>
#include <linux/btf.h>

#include "compiler/emit/emit-private.h"

#define MAPS  ".maps"
#define LATE  "\1maps"

void latemaps_hide(struct emit *e)
{
	for (val g = LLVMGetFirstGlobal(e->mod); g; g = LLVMGetNextGlobal(g)) {
		const char *s = LLVMGetSection(g);

		if (s && !strcmp(s, MAPS))
			LLVMSetSection(g, LATE);
	}
}

static void show_in_btf(char *bytes)
{
	struct btf_header *h = (struct btf_header *)bytes;
	char *strings = bytes + h->hdr_len + h->str_off;

	for (u32 i = 0; i < h->str_len; i += strlen(strings + i) + 1)
		if (!strcmp(strings + i, LATE))
			memcpy(strings + i, MAPS, strlen(MAPS));
}

void latemaps_show(void *object)
{
	Elf64_Ehdr *eh = object;
	Elf64_Shdr *sh = (Elf64_Shdr *)((char *)object + eh->e_shoff);
	char *names = (char *)object + sh[eh->e_shstrndx].sh_offset;

	for (u32 i = 1; i < eh->e_shnum; i++) {
		char *name = names + sh[i].sh_name;

		if (!strcmp(name, LATE))
			memcpy(name, MAPS, strlen(MAPS));
		else if (!strcmp(name, ".BTF"))
			show_in_btf((char *)object + sh[i].sh_offset);
	}
}

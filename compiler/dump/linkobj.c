/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * linkobj.c - the object file of -G.  The probes are already in the program's own objects, by the
 * header of -h.  But makefiles for DTrace link the output of -G, so it is an empty object file:
 * gABI "Object Files", a relocatable file with two sections.
 */
#include <elf.h>
#include <string.h>

#include <dtx/arch.h>
#include <dtx/compile.h>

/* .note.GNU-stack: without it linkers make the stack of the program executable. */
static const char obj_names[] = "\0.shstrtab\0.note.GNU-stack";

struct obj_file {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	char names[(sizeof(obj_names) + 7) & ~7u];
};

void linkobj_make(struct buf *out)
{
	struct obj_file f = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
				     ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_REL, .e_machine = ARCH_ELF_MACHINE, .e_version = EV_CURRENT,
			.e_shoff = offsetof(struct obj_file, sections),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 1,
		},
		.sections = {
			[1] = { .sh_name = 1, .sh_type = SHT_STRTAB, .sh_addralign = 1,
				.sh_offset = offsetof(struct obj_file, names),
				.sh_size = sizeof(obj_names) },
			[2] = { .sh_name = 11, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
				.sh_offset = offsetof(struct obj_file, names) },
		},
	};

	memcpy(f.names, obj_names, sizeof(obj_names));
	buf_add(out, (const char *)&f, sizeof(f));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * minidebug.c - libFuzzer harness of symbols in .gnu_debugdata: the input is the object inside of
 * the section. It is compressed, and put into an object that has nothing else.
 */
#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "tests/fuzz/symbols.h"

#include "runtime/code/code.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char names[] = "\0.shstrtab\0.gnu_debugdata";

/* The object around it, without segments. */
struct outer {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	char names[sizeof(names)];
};

static void wrap(int fd, const u8 *xz, size_t len)
{
	struct outer o = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_DYN, .e_machine = ARCH_ELF_MACHINE, .e_version = EV_CURRENT,
			.e_shoff = offsetof(struct outer, sections), .e_ehsize = sizeof(Elf64_Ehdr),
			.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 1,
		},
		.sections = {
			[1] = { .sh_name = 1, .sh_type = SHT_STRTAB, .sh_addralign = 1,
				.sh_offset = offsetof(struct outer, names),
				.sh_size = sizeof(names) },
			[2] = { .sh_name = 11, .sh_type = SHT_PROGBITS, .sh_addralign = 1,
				.sh_offset = sizeof(struct outer), .sh_size = len },
		},
	};

	memcpy(o.names, names, sizeof(names));
	if (write(fd, &o, sizeof(o)) != sizeof(o) || write(fd, xz, len) != (ssize_t)len)
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t room = lzma_stream_buffer_bound(size), len = 0;
	int fd = memfd_create("object", MFD_CLOEXEC);
	u8 *xz = malloc(room);
	char path[64];

	if (lzma_easy_buffer_encode(0, LZMA_CHECK_NONE, NULL, data, size, xz, &len, room))
		abort();
	wrap(fd, xz, len);
	elfsyms_close(symbols_read(fd, path));
	close(fd);
	free(xz);
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_image.h - an ELF object around a manifest, for the tests and the fuzzer of the image
 * reader.
 */
#ifndef SAMPLE_IMAGE_H
#define SAMPLE_IMAGE_H

#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtx/base.h>
#include <dtx/abi.h>

static inline void sample_section(Elf *e, u32 name, const void *data, size_t len, u32 type)
{
	Elf_Scn *scn = elf_newscn(e);
	Elf_Data *d = elf_newdata(scn);
	GElf_Shdr sh;

	d->d_buf = (void *)data;
	d->d_size = len;
	d->d_align = 1;
	d->d_type = ELF_T_BYTE;
	gelf_getshdr(scn, &sh);
	sh.sh_name = name;
	sh.sh_type = type;
	gelf_update_shdr(scn, &sh);
}

/* The bytes of an object whose section of this name is `text`: the caller frees them; NULL: no
 * memory. */
static inline void *sample_object(const char *section, const void *text, size_t size, size_t *len)
{
	char names[64] = "";
	int fd = memfd_create("image", MFD_CLOEXEC);
	size_t n = strlen(section);
	GElf_Ehdr eh;
	void *bytes;
	Elf *e;

	memcpy(names + 1, section, n);
	memcpy(names + n + 2, ".shstrtab", 10);
	elf_version(EV_CURRENT);
	e = elf_begin(fd, ELF_C_WRITE, NULL);
	gelf_newehdr(e, ELFCLASS64);
	gelf_getehdr(e, &eh);
	eh.e_type = ET_REL;
	eh.e_machine = EM_BPF;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_version = EV_CURRENT;
	eh.e_shstrndx = 2;
	gelf_update_ehdr(e, &eh);
	sample_section(e, 1, text, size, SHT_PROGBITS);
	sample_section(e, n + 2, names, n + 12, SHT_STRTAB);
	elf_update(e, ELF_C_WRITE);
	elf_end(e);
	*len = lseek(fd, 0, SEEK_END);
	bytes = malloc(*len + !*len);
	if (bytes && pread(fd, bytes, *len, 0) != (ssize_t)*len) {
		free(bytes);
		bytes = NULL;
	}
	close(fd);
	return bytes;
}

#endif
